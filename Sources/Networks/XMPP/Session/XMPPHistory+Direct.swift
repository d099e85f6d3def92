import ChatModel
import Sessions
import XMPPWire

/// Fetches the account's own archive, which has the conversations with single people.
extension XMPPHistory {
    /// Looks into the archive from time to time: what another client takes does not always come to us. Fetches again what a
    /// server did not give when it was busy or starting.
    func lookAtDirect() async -> SessionEnd? {
        while (try? await clock.sleep(for: configuration.directCheck)) != nil {
            if mailbox.withSession({ $0.ownArchive != true }) { await link.learnOwnArchive() }
            queueDirect()
            for room in mailbox.withSession({ $0.rooms.values.filter(\.isInside).map(\.address) }) {
                queueMissing(room)
            }
        }
        return nil
    }

    /// Queues what is missing of the conversations.
    func queueDirect() {
        guard configuration.archivesDirect, mailbox.withSession({ $0.ownArchive == true }) else { return }
        queue(XMPPFetch(room: nil, end: link.now()))
    }

    /// Walks through the archive once for all conversations, which have the same coverage: that of these walks.
    func runDirect(_ fetch: XMPPFetch) async throws {
        await mailbox.waitUntilStored()
        let before = mailbox.withSession { $0.direct.values.sorted { $0.key < $1.key } }
        var starts: [String: HistoryStart] = [:]
        for room in before {
            try Task.checkCancellation()
            starts[room.key] = try await archive.historyStart(room: room, retriesLost: fetch.retriesLost)
        }
        // The conversation that is complete up to the earliest instant keeps the place of the walk.
        let first = fetch.after == nil ? starts.min { $0.value.completeUntil < $1.value.completeUntil } : nil
        let own = RoomReference(
            key: first?.key ?? "\(configuration.account.bare)", name: "\(configuration.account.bare)", kind: .direct)
        var walk = XMPPWalk(
            fetch, gapStart: first?.value.completeUntil, place: first?.value.place, horizon: horizon)
        let isDone = try await self.walk(&walk, own) { message, session in
            guard message.type != "groupchat" else { return nil }
            return session.parties(of: message).map { ($0.room, $0.sender) }
        }
        guard isDone else { return }
        // All conversations are complete from the same instant on, also those that are new.
        let at = link.now()
        let rooms = mailbox.withSession { session in
            session.directUntil = walk.end
            return session.direct.values.sorted { $0.key < $1.key }
        }
        for room in rooms {
            buffer.push(
                walk.ending(session: link.session, room: room, at: at)
                    + configuration.afterLook(at: walk.end, session: link.session, room: room))
        }
        // The walk continued an interrupted one, after which another gap follows.
        if fetch.after == nil, walk.end < fetch.end { queue(fetch) }
    }

    /// Reads the newest messages of a room from the archive before a live message that refers to one of them.
    func recallTarget(of element: XMPPElement) async {
        guard element.name == "message" else { return }
        let message = XMPPMessage(element.carbon ?? element)
        guard let room = mailbox.withSession({ $0.roomToRecall(for: message) }) else { return }
        await recall(room)
    }

    /// The same before a message of an archive.
    func recallTarget(of message: XMPPMessage, _ parties: XMPPSession.Parties) async {
        let room = mailbox.withSession { parties(message, &$0)?.room }
        guard let room, !mailbox.withSession({ $0.references.recalled.contains(room.key) }) else { return }
        await recall(room)
    }

    private func recall(_ room: RoomReference) async {
        await mailbox.waitUntilStored()
        let originals = (try? await archive.lastOriginals(room: room, limit: Self.recalledMessages)) ?? []
        let known = originals.map { ($0, StoredStanza.message(of: $0.raw)) }
        mailbox.withSession { session in
            for (original, message) in known.reversed() {
                session.references.note(
                    .init(
                        remoteID: original.remoteID, author: original.sender, name: message?.from?.resource ?? ""),
                    senderIDs: message?.senderIDs ?? [], room: room.key, isArchived: false)
            }
            session.references.noteRecalled(room.key)
        }
    }

    /// The number of messages that are read from the archive; corrections are seldom of older ones.
    private static let recalledMessages = 500
}
