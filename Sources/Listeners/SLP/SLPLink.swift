import ChatModel
import Logging
import SLPWire
import SocketIOWire
import Synchronization

/// Hears the rooms of one connection and fetches their history; all that comes of it goes into the buffer.
final class SLPLink: Sendable {
    /// People remembered at once, at some hundred bytes each.
    private static let seenAtOnce = 20_000

    let session: SessionID
    let configuration: SLPListenerConfiguration
    let client: SLPClient
    let me: String
    let archive: any ListenerState
    let buffer: EventBuffer
    private let listener: SLPListener
    private let connection: SocketIOConnection
    private let reporter: Reporter
    private let stopwatch: Stopwatch
    private let state: Mutex<SLPLinkState>
    private let fetches = AsyncStream<String>.makeStream()
    private let isBeyondHelp = Signal()

    init(
        _ session: SessionID, listener: SLPListener, connection: SocketIOConnection, client: SLPClient, me: String,
        state archive: any ListenerState, reporter: Reporter, buffer: EventBuffer, receipts: ReceiptClock
    ) {
        (self.session, self.listener, self.connection, self.client) = (session, listener, connection, client)
        (self.me, self.archive, self.reporter, self.buffer) = (me, archive, reporter, buffer)
        configuration = listener.configuration
        stopwatch = Stopwatch(listener.clock)
        state = Mutex(SLPLinkState(receipts: receipts, heardAt: receipts.last ?? listener.wallClock()))
    }

    /// What the account's clock has come to.
    var receipts: ReceiptClock { state.withLock { $0.receipts } }

    /// Why the connection had to be given up for good; nil for other reasons.
    var loginTrouble: SLPError? { state.withLock { $0.loginTrouble } }

    /// Until the connection ends or `stop` is set. All that was heard is in the buffer then, the session's end last.
    func run(_ directory: SLPDirectory, until stop: Signal) async -> SessionEnd {
        await take(directory)
        let end = await withTaskGroup(of: SessionEnd?.self) { group in
            group.addTask { await self.read() }
            group.addTask { await self.fetchAll() }
            group.addTask { await self.watch() }
            group.addTask { await self.checkAgain() }
            group.addTask {
                await self.isBeyondHelp.wait()
                return Task.isCancelled ? nil : SessionEnd(reason: .lost, detail: self.loginTrouble?.detail)
            }
            group.addTask {
                await stop.wait()
                return SessionEnd(reason: .stopped)
            }
            for await case let end? in group {
                group.cancelAll()
                return end
            }
            return SessionEnd(reason: .stopped)
        }
        state.withLock { state in
            for namespace in state.rooms.keys { release(namespace, &state) }
            buffer.push([.sessionEnded(session: session, at: state.heardAt, reason: end.reason, detail: end.detail)])
        }
        return end
    }

    // MARK: Rooms

    /// Tells the archive what is listed, asks for the rooms that are new, and lets go of those that are not listed any more.
    private func take(_ directory: SLPDirectory) async {
        let stored = (try? await archive.listedRooms()) ?? []
        let listed = Set(directory.rooms.map(\.namespace))
        let added = state.withLock { state in
            var events = directory.events
            for room in stored where !listed.contains(room.key) {
                events += left(room, isGone: false, &state)
            }
            let added = directory.rooms.filter { room in
                state.rooms[room.namespace]?.relist(room)
                guard state.rooms[room.namespace] == nil else { return false }
                state.rooms[room.namespace] = room
                state.left.remove(room.namespace)
                return true
            }
            // Before they are heard, so that history is missing from there on, whatever is heard.
            events += added.map { room in
                .fetched(session: session, room: room.reference, from: room.beginning, to: room.beginning)
            }
            buffer.push(events)
            return added
        }
        for room in added { ask(room.namespace) }
        await buffer.room()
    }

    private func left(_ room: RoomReference, isGone: Bool, _ state: inout SLPLinkState) -> [ChatEvent] {
        let now = state.receipts.stamp(listener.wallClock())
        release(room.key, &state)
        let wasLive = state.rooms.removeValue(forKey: room.key)?.liveSince != nil
        if wasLive {
            state.left.insert(room.key)
            _ = connection.disconnect(room.key)
        }
        let silent = ChatEvent.roomSilent(
            session: session, room: room, at: state.vouchedAt, reason: isGone ? .gone : .left)
        return (wasLive ? [silent] : []) + [.roomUnlisted(room, isGone: isGone, at: now)]
    }

    private func ask(_ namespace: String) {
        state.withLock { state in
            let now = stopwatch.elapsed
            // The first fetch waits from here on.
            if state.rooms[namespace]?.asked == 0 { state.rooms[namespace]?.triedAt = now }
            state.rooms[namespace]?.askedAt = now
            state.rooms[namespace]?.asked += 1
        }
        _ = connection.connect(namespace)
    }

    /// Asks for all lists and every room's history again, now and then, whatever was heard.
    private func checkAgain() async -> SessionEnd? {
        while (try? await listener.clock.sleep(for: configuration.checkInterval)) != nil {
            do {
                let directory = try await SLPDirectory.read(
                    client, me: me, channels: configuration.channels, state: archive, at: listener.wallClock)
                await take(directory)
            } catch {
                note(error, "the rooms can't be listed")
            }
            for namespace in state.withLock({ Array($0.rooms.keys) }) { queue(namespace) }
        }
        return nil
    }

    /// Writes down the last sign of life, and tries again what has failed.
    private func watch() async -> SessionEnd? {
        while (try? await listener.clock.sleep(for: configuration.signOfLifeInterval)) != nil {
            let (heardAt, rooms) = state.withLock { state in
                for namespace in state.heldFor(configuration.heldTime) { release(namespace, &state) }
                buffer.push([.signOfLife(session: session, at: state.vouchedAt)])
                return (state.heardAt, Array(state.rooms.values))
            }
            reporter.alive(at: heardAt)
            let now = stopwatch.elapsed
            for room in rooms {
                if room.isDueToAsk(at: now, first: configuration.signOfLifeInterval) { ask(room.namespace) }
                // Also one whose namespace nobody answers for.
                if room.isDueToFetch(
                    at: now, first: configuration.signOfLifeInterval, grant: configuration.grantTimeout)
                {
                    queue(room.namespace)
                }
            }
        }
        return nil
    }

    // MARK: Hearing

    private func read() async -> SessionEnd? {
        do {
            let end = try await connection.forEachEvent { event in await self.handle(event) }
            guard end == nil, !Task.isCancelled else { return end }
            return SessionEnd(reason: .closed, detail: "the server closed the connection")
        } catch {
            return Task.isCancelled ? nil : SessionEnd(error)
        }
    }

    private func handle(_ event: SocketIOEvent) async -> SessionEnd? {
        let end: SessionEnd? = state.withLock { state in
            guard !state.receipts.isBehind(event.at) else {
                return SessionEnd(reason: .clockStep, detail: state.receipts.sentence(clock: event.at))
            }
            let at = state.receipts.stamp(event.at)
            state.heardAt = at
            take(event.content, at: at, &state)
            return nil
        }
        await buffer.room()
        return end
    }

    /// Within the lock, so that what is stored has the order of what was heard.
    private func take(_ content: SocketIOEvent.Content, at: Timestamp, _ state: inout SLPLinkState) {
        switch content {
        case .connected(let namespace):
            guard let room = state.rooms[namespace], room.liveSince == nil else { return }
            state.rooms[namespace]?.liveSince = at
            state.rooms[namespace]?.asked = 0
            buffer.push([.roomLive(session: session, room: room.reference, at: at)])
            queue(namespace, &state)
        case .refused(let namespace, let reason):
            listener.logger.warning(
                "a room is not heard", metadata: ["room": "\(namespace)", "reason": "\(reason.prefix(200))"])
            queue(namespace, &state)
        case .disconnected(let namespace):
            guard let room = state.rooms[namespace], room.liveSince != nil else { return }
            state.rooms[namespace]?.liveSince = nil
            state.rooms[namespace]?.askedAt = stopwatch.elapsed
            release(namespace, &state)
            buffer.push([.roomSilent(session: session, room: room.reference, at: state.vouchedAt, reason: .closed)])
        case .event(let namespace, let event, _):
            heard(event, in: namespace, at: at, &state)
        case .unreadable(let bytes, let reason):
            buffer.push([unreadable(bytes, "\(reason)", room: nil, at: at)])
        case .alive:
            break
        }
    }

    private func heard(_ event: SocketEvent, in namespace: String, at: Timestamp, _ state: inout SLPLinkState) {
        guard !state.left.contains(namespace) else { return }
        guard let room = state.rooms[namespace] else {
            return buffer.push([unreadable(event.arguments, "it is of no room of ours", room: nil, at: at)])
        }
        let events = told(DecodedElement(event.arguments), in: room.reference, at: at, &state)
        guard var holding = room.holding else { return buffer.push(events) }
        holding.since = holding.since ?? at
        holding.events += events
        holding.bytes += event.arguments.count
        state.heldBytes += event.arguments.count
        state.rooms[namespace]?.holding = holding
        // Better in the wrong order than not at all: an edit made while history came may be taken for an earlier text.
        if state.heldBytes > configuration.heldBytes { release(namespace, &state) }
    }

    /// What is stored of a chat, as heard or as history has it.
    private func told(
        _ element: DecodedElement<SLPChat>, in room: RoomReference, at: Timestamp, _ state: inout SLPLinkState
    ) -> [ChatEvent] {
        switch element {
        case .malformed(let raw, let detail):
            return [unreadable(raw, detail, room: room, at: at)]
        case .value(let chat, let raw):
            var events: [ChatEvent] = []
            let sender = chat.user.map { UserReference($0, me: me) }
            if let user = chat.user, let sender, state.seen.insert(user).inserted {
                if state.seen.count > Self.seenAtOnce { state.seen = [user] }
                events.append(.userListed(UserListing(user: sender, picture: user.imagePath), at: at))
            }
            let message = IncomingMessage(
                session: session, room: room, kind: .message, sender: sender, body: chat.content, remoteID: chat.id,
                sourceTime: Timestamp(microseconds: chat.createdAt.microseconds), receivedAt: at,
                attachments: chat.files, raw: raw)
            return events + [.snapshot(message)]
        }
    }

    private func unreadable(_ bytes: [UInt8], _ reason: String, room: RoomReference?, at: Timestamp) -> ChatEvent {
        .unreadable(
            UnreadableEvent(
                session: session, room: room, remoteID: nil, receivedAt: at, payload: bytes, reason: reason))
    }

    /// What was held of a room goes into the buffer.
    private func release(_ namespace: String, _ state: inout SLPLinkState) {
        buffer.push(state.released(namespace))
    }

    // MARK: Fetching

    private func queue(_ namespace: String) {
        state.withLock { state in queue(namespace, &state) }
    }

    private func queue(_ namespace: String, _ state: inout SLPLinkState) {
        guard state.rooms[namespace] != nil, state.queued.insert(namespace).inserted else { return }
        fetches.continuation.yield(namespace)
    }

    private func fetchAll() async -> SessionEnd? {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await namespace in fetches.stream {
                if running == configuration.fetchesAtOnce {
                    await group.next()
                    running -= 1
                }
                running += 1
                group.addTask { await self.fetch(namespace) }
            }
        }
        return nil
    }

    /// Fetches what is missing of a room's history, and releases what was heard meanwhile behind it.
    private func fetch(_ namespace: String) async {
        let begun = state.withLock { state -> (room: SLPRoom, until: Timestamp)? in
            state.queued.remove(namespace)
            guard let room = state.rooms[namespace], !room.isFetching else { return nil }
            state.rooms[namespace]?.isFetching = true
            state.rooms[namespace]?.holding = room.holding ?? SLPRoom.Holding()
            return (room, state.receipts.stamp(listener.wallClock()))
        }
        guard let (room, until) = begun else { return }
        var error: (any Error)?
        do {
            try await fetch(room, until: until)
        } catch let failure {
            error = failure
        }
        state.withLock { state in
            release(namespace, &state)
            state.rooms[namespace]?.isFetching = false
            state.rooms[namespace]?.triedAt = stopwatch.elapsed
            state.rooms[namespace]?.failures = error == nil ? 0 : room.failures + 1
            if error == nil { state.rooms[namespace]?.fetchedUntil = until }
            // It was granted meanwhile.
            if let since = state.rooms[namespace]?.liveSince, since > until { queue(namespace, &state) }
            if (error as? SLPError)?.code == .gone { buffer.push(left(room.reference, isGone: true, &state)) }
        }
        if let error, !(error is CancellationError) {
            note(error, "the history of \(room.reference.name) is not complete")
        }
    }

    /// Once more where the room only has another name now, by which generation 1 finds it.
    private func fetch(_ room: SLPRoom, until: Timestamp) async throws {
        var fetch = SLPFetch(link: self, room: room, until: until)
        do {
            try await fetch.run()
        } catch let error as SLPError where [.gone, .unexpected].contains(error.code) {
            guard let listed = try await listed(room), listed.address != room.address else { throw error }
            state.withLock { state in
                state.rooms[room.namespace]?.relist(listed)
                let now = state.receipts.stamp(listener.wallClock())
                buffer.push([.roomListed(listed.listing, at: now)])
            }
            var room = room
            room.relist(listed)
            var fetch = SLPFetch(link: self, room: room, until: until)
            try await fetch.run()
        }
    }

    /// The room as the service has it now; nil where it does not.
    private func listed(_ room: SLPRoom) async throws -> SLPRoom? {
        guard let workspace = room.listing.workspace else { return nil }
        return try await SLPDirectory.rooms(client, in: workspace, channels: configuration.channels, state: archive)
            .first { $0.namespace == room.namespace }
    }

    /// For ``SLPFetch``: what is stored of one chat of a room's history.
    func events(_ element: DecodedElement<SLPChat>, in room: RoomReference) -> [ChatEvent] {
        state.withLock { state in
            let at = state.receipts.stamp(listener.wallClock())
            return told(element, in: room, at: at, &state)
        }
    }

    private func note(_ error: any Error, _ what: String) {
        guard !Task.isCancelled else { return }
        listener.logger.warning("\(what)", metadata: ["reason": "\(error)"])
        reporter.note(error: "\(what): \(error)")
        guard let error = error as? SLPError, [.accountStopped, .needsLogin].contains(error.code) else { return }
        state.withLock { $0.loginTrouble = error }
        isBeyondHelp.set()
    }
}
