import ChatModel
import SLPWire
import Sessions

/// Fetches history.
extension SLPLink {
    func queue(_ namespace: String) {
        mailbox.withSession { state in queue(namespace, &state) }
    }

    func queue(_ namespace: String, _ state: inout SLPLinkState) {
        guard state.rooms[namespace] != nil, state.queued.insert(namespace).inserted else { return }
        fetches.continuation.yield(namespace)
    }

    func fetchAll() async -> SessionEnd? {
        await fetches.stream.forEach(atOnce: configuration.fetchesAtOnce) { await self.fetch($0) }
        return nil
    }

    /// Fetches the missing part of a room's history, and releases the live messages that were held meanwhile.
    private func fetch(_ namespace: String) async {
        let begun = mailbox.withSession { state -> (room: SLPRoom, until: Timestamp)? in
            state.queued.remove(namespace)
            guard let room = state.rooms[namespace], !room.isFetching else { return nil }
            state.rooms[namespace]?.isFetching = true
            state.rooms[namespace]?.holding = room.holding ?? SLPRoom.Holding()
            state.holding.insert(namespace)
            return (room, state.receipts.stamp(listener.tools.readClocks()))
        }
        guard let (room, until) = begun else { return }
        var error: (any Error)?
        do {
            try await fetch(room, until: until)
        } catch let failure {
            error = failure
        }
        mailbox.withSession { state in
            release(namespace, &state)
            state.rooms[namespace]?.isFetching = false
            state.rooms[namespace]?.triedAt = mailbox.elapsed
            state.rooms[namespace]?.failures = error == nil ? 0 : room.failures + 1
            if error == nil { state.rooms[namespace]?.fetchedUntil = until }
            // The namespace was granted meanwhile.
            if let since = state.rooms[namespace]?.liveSince, since > until { queue(namespace, &state) }
            if (error as? CallError)?.code == .gone { buffer.push(left(room.reference, isGone: true, &state)) }
        }
        if let error, !(error is CancellationError) {
            reportError(error, "a room's history is incomplete", room: room.reference.name)
        }
    }

    /// Fetches a room's history, and again if the room has a new name, because generation 1 finds the room by its name.
    private func fetch(_ room: SLPRoom, until: Timestamp) async throws {
        var fetch = SLPFetch(link: self, room: room, until: until)
        do {
            try await fetch.run()
        } catch let error as CallError where [.gone, .unexpected].contains(error.code) {
            guard let listed = try await listed(room), listed.address != room.address else { throw error }
            mailbox.withSession { state in
                state.rooms[room.namespace]?.relist(listed)
                let now = state.receipts.stamp(listener.tools.readClocks())
                buffer.push([.roomListed(listed.listing, at: now)])
            }
            var room = room
            room.relist(listed)
            var fetch = SLPFetch(link: self, room: room, until: until)
            try await fetch.run()
        }
    }

    /// Returns the room from the service's present list; nil if the list lacks it.
    private func listed(_ room: SLPRoom) async throws -> SLPRoom? {
        guard let workspace = room.listing.workspace else { return nil }
        return try await SLPDirectory.rooms(client, in: workspace, channels: configuration.channels, state: archive)
            .rooms.first { $0.namespace == room.namespace }
    }

    /// Returns the events for one chat of a room's history; for ``SLPFetch``.
    func events(_ element: DecodedElement<SLPChat>, in room: RoomReference) -> [ChatEvent] {
        mailbox.withSession { state in
            let at = state.receipts.stamp(listener.tools.readClocks())
            return chatEvents(element, in: room, at: at, &state)
        }
    }
}
