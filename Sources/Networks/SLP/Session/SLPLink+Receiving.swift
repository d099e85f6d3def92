import ChatModel
import Logging
import SLPWire
import Sessions

/// Handles the events of the socket.
extension SLPLink {
    /// The limit of remembered people, at 16 bytes each.
    private static let seenAtOnce = 20_000

    func read() async -> SessionEnd? {
        await SessionEnd.reading { () throws(ConnectionError) in
            try await connection.forEachEvent { event in await self.handle(event) }
        }
    }

    private func handle(_ event: SocketIOEvent) async -> SessionEnd? {
        let end: SessionEnd? = mailbox.withSession { state in
            guard !state.receipts.isBehind(event.at) else {
                return SessionEnd(reason: .clockStep, detail: state.receipts.stepDetail(event.at))
            }
            let at = state.receipts.stamp(event.at)
            state.lastSignOfLife = at
            buffer.push(state.receipts.offsetChange(of: session))
            handleContent(event.content, at: at, &state)
            return state.effort > configuration.maximumEffort ? .tooMuchUnreadable : nil
        }
        await buffer.waitForSpace()
        return end
    }

    /// Handles an event within the lock, so that events are stored in the order in which they came.
    private func handleContent(_ content: SocketIOEvent.Content, at: Timestamp, _ state: inout SLPLinkState) {
        switch content {
        case .connected(let namespace):
            guard let room = state.rooms[namespace], room.liveSince == nil else { return }
            state.rooms[namespace]?.liveSince = at
            state.rooms[namespace]?.requests = 0
            buffer.push([.roomLive(session: session, room: room.reference, at: at)])
            queue(namespace, &state)
        case .refused(let namespace, let reason):
            guard state.rooms[namespace] != nil else { return }
            listener.tools.logger.warning(
                "room not archived", metadata: ["room": "\(namespace)", "reason": "\(reason.prefix(200))"])
            queue(namespace, &state)
        case .disconnected(let namespace):
            guard let room = state.rooms[namespace], room.liveSince != nil else { return }
            state.rooms[namespace]?.liveSince = nil
            state.rooms[namespace]?.subscribedAt = mailbox.elapsed
            release(namespace, &state)
            buffer.push([.roomSilent(session: session, room: room.reference, at: state.completeUntil, reason: .closed)])
        case .event(let namespace, let event, _):
            receive(event, in: namespace, at: at, &state)
        case .unreadable(let bytes, let reason):
            state.effort += max(1, state.rooms.count)
            buffer.push([unreadable(bytes, "\(reason)", room: nil, at: at)])
        case .signOfLife:
            break
        }
    }

    private func receive(_ event: SocketEvent, in namespace: String, at: Timestamp, _ state: inout SLPLinkState) {
        guard !state.left.contains(namespace) else { return }
        guard let room = state.rooms[namespace]?.reference else {
            state.effort += max(1, state.rooms.count)
            return buffer.push([unreadable(event.arguments, "it belongs to no known room", room: nil, at: at)])
        }
        let events = chatEvents(DecodedElement(event.arguments), in: room, at: at, isLive: true, &state)
        guard state.hold(events, in: namespace, at: at) else { return buffer.push(events) }
        // The wrong order is better than a loss: an edit during the fetch may be taken for an earlier text.
        if state.heldBytes > configuration.heldBytes { release(namespace, &state) }
    }

    /// Returns the events for a chat, live or from history, which has today's pictures.
    func chatEvents(
        _ element: DecodedElement<SLPChat>, in room: RoomReference, at: Timestamp, isLive: Bool = false,
        _ state: inout SLPLinkState
    ) -> [ChatEvent] {
        switch element {
        case .malformed(let raw, let detail):
            return [unreadable(raw, detail, room: room, at: at)]
        case .value(let chat, let raw):
            var events: [ChatEvent] = []
            let sender = chat.user.map { UserReference($0, me: me) }
            if let user = chat.user, let sender, state.seen.insert(user.hashValue).inserted {
                if state.seen.count > Self.seenAtOnce { state.seen = [user.hashValue] }
                let shownAt = isLive ? Timestamp(microseconds: chat.createdAt.microseconds) : nil
                events.append(
                    .userListed(UserListing(user: sender, picture: user.imagePath, shownAt: shownAt), at: at))
            }
            let message = IncomingMessage(
                session: session, room: room, kind: .message, sender: sender, body: chat.content, remoteID: chat.id,
                sourceTime: Timestamp(microseconds: chat.createdAt.microseconds), receivedAt: at,
                attachments: chat.files, raw: raw)
            return events + [.message(message, .snapshot)]
        }
    }

    /// Counts chats of history that can't be read.
    ///
    /// - Returns: True if there are so many that the session ends.
    func isTooMuch(_ element: DecodedElement<SLPChat>) -> Bool {
        guard element.value == nil else { return false }
        let isTooMuch = mailbox.withSession { state in
            state.effort += 1
            return state.effort > configuration.maximumEffort
        }
        if isTooMuch { mailbox.end(.tooMuchUnreadable) }
        return isTooMuch
    }

    private func unreadable(_ bytes: [UInt8], _ reason: String, room: RoomReference?, at: Timestamp) -> ChatEvent {
        .unreadable(
            UnreadableEvent(
                session: session, room: room, remoteID: nil, receivedAt: at, payload: bytes, reason: reason))
    }
}

extension SessionEnd {
    static let tooMuchUnreadable = SessionEnd(
        reason: .violation, detail: "the server sent too many messages that can't be read")
}
