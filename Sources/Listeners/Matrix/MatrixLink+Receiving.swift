import ChatModel
import LogFormats
import Logging
import MatrixWire
import Synchronization

/// Receives what is new.
extension MatrixLink {
    /// The place in the server's stream, as the archive keeps it: when it was reached, and the server's token.
    private struct Place {
        var time: Timestamp
        var token: String

        init(time: Timestamp, token: String) { (self.time, self.token) = (time, token) }

        init?(_ text: String?) {
            guard let text, let space = text.firstIndex(of: " "), let time = Int64(text[..<space]) else { return nil }
            self.init(time: Timestamp(microseconds: time), token: String(text[text.index(after: space)...]))
        }

        var text: String { "\(time.microseconds) \(token)" }
    }

    func receive() async -> SessionEnd? {
        do {
            var place = Place(try await archive.reachedPlace())
            try await recall()
            var isFirst = true
            while !Task.isCancelled {
                // Everything that the server got before the call is in the answer.
                let begun = now()
                do {
                    place = try await sync(after: place, isFirst: isFirst, begun: begun)
                } catch let error as MatrixError where place != nil && error.code == .refused {
                    // The server no longer knows the place.
                    listener.tools.logger.warning(
                        "the server does not know the last place; reading all rooms again",
                        metadata: ["reason": "\(error.detail)"])
                    place = nil
                    continue
                }
                isFirst = false
                await buffer.waitForSpace()
            }
            return nil
        } catch {
            return end(of: error)
        }
    }

    /// Learns the rooms that the archive has.
    private func recall() async throws {
        let rooms = try await archive.expectedRooms(kind: .channel) + archive.expectedRooms(kind: .direct)
        let partners = try await archive.partners()
        state.withLock { state in
            for room in rooms {
                var known = state.rooms[room.key] ?? MatrixRoom(id: room.key)
                known.storedName = room.name
                if known.partner == nil, room.kind == .direct { known.partner = partners[room.key]?.key }
                state.rooms[room.key] = known
            }
            for partner in partners.values { state.names.note(partner.key, partner.name) }
        }
    }

    /// Makes one sync.
    ///
    /// - Returns: The place that was reached.
    private func sync(after place: Place?, isFirst: Bool, begun: Timestamp) async throws -> Place? {
        let last = state.withLock { $0.lastSignOfLife }
        var reached = place
        try await client.sync(since: place?.token, wait: isFirst ? .zero : configuration.wait) { item in
            switch item {
            case .room(let room): try await receive(room, after: place?.time, last: last, begun: begun)
            case .next(let token):
                let next = Place(time: begun, token: token)
                if isFirst { try await beginQuietRooms(after: place?.time, begun: begun) }
                state.withLock { $0.lastSignOfLife = begun }
                buffer.push([.reached(place: next.text), .signOfLife(session: session, at: begun)])
                reporter.noteSignOfLife(at: begun)
                reached = next
            }
        }
        return reached
    }

    /// Begins the rooms in which nothing happened since the last session. A sync from the beginning has every room, so that
    /// the account has left the others.
    private func beginQuietRooms(after time: Timestamp?, begun: Timestamp) async throws {
        let quiet = state.withLock { state in
            state.rooms.values.filter { !$0.isLive && $0.storedName != nil }.map(\.id)
        }
        for room in quiet.sorted() {
            let reference = reference(of: room)
            guard let time else {
                state.withLock { $0.rooms[room] = nil }
                buffer.push([.roomUnlisted(reference, isGone: false, at: begun)])
                continue
            }
            buffer.push([
                .covered(session: session, room: reference, from: time, to: begun),
                .roomLive(session: session, room: reference, at: begun),
            ])
            state.withLock { $0.rooms[room]?.isLive = true }
            try await queueMissing(room, until: time)
        }
    }

    /// Receives what a sync says about a room.
    ///
    /// - Parameters:
    ///   - time: When the place before the sync was reached; nil for a sync from the beginning.
    ///   - last: The time of the sync before, in this session.
    ///   - begun: When the sync began.
    private func receive(_ room: MatrixSync.Room, after time: Timestamp?, last: Timestamp, begun: Timestamp)
        async throws
    {
        let at = now()
        switch room.section {
        case .join: try await join(room, after: time, last: last, begun: begun, at: at)
        case .leave:
            guard state.withLock({ $0.rooms[room.id]?.isLive ?? false || $0.rooms[room.id]?.storedName != nil }) else {
                return
            }
            let events = read(room, at: at)
            let reference = reference(of: room.id)
            let silent = ChatEvent.roomSilent(session: session, room: reference, at: begun, reason: .left)
            let wasLive = state.withLock { $0.rooms.removeValue(forKey: room.id)?.isLive ?? false }
            buffer.push(events + (wasLive ? [silent] : []) + [.roomUnlisted(reference, isGone: false, at: at)])
        // An invitation is accepted in a client, after which the room is among the joined ones.
        case .invite, .knock: break
        }
    }

    private func join(
        _ room: MatrixSync.Room, after time: Timestamp?, last: Timestamp, begun: Timestamp, at: Timestamp
    ) async throws {
        let known = state.withLock { $0.rooms[room.id] }
        state.withLock { state in
            state.rooms[room.id] = known ?? MatrixRoom(id: room.id)
            if !room.heroes.isEmpty { state.rooms[room.id]?.heroes = room.heroes.filter { $0 != me } }
        }
        let nameBefore = known.map { known in state.withLock { state in known.reference { state.names[$0] }.name } }
        let events = read(room, at: at)
        let reference = reference(of: room.id)
        var before: [ChatEvent] = []
        if known?.storedName == nil || nameBefore != reference.name {
            let partner = state.withLock { $0.rooms[room.id]?.partner }.map(user)
            before.append(.roomListed(RoomListing(room: reference, partner: partner), at: at))
            state.withLock { $0.rooms[room.id]?.storedName = reference.name }
        }
        let wasLive = known?.isLive ?? false
        guard !wasLive || room.isLimited else { return buffer.push(before + events) }
        if wasLive {
            before.append(.roomSilent(session: session, room: reference, at: last, reason: .lost))
        }
        state.withLock { $0.rooms[room.id]?.isLive = true }
        let isWhole = time != nil && known?.storedName != nil && !room.isLimited
        // The times of events are those of many servers, and prove nothing.
        let from = isWhole ? time ?? begun : begun
        buffer.push(
            before + events + [
                .covered(session: session, room: reference, from: from, to: begun),
                .roomLive(session: session, room: reference, at: begun),
            ])
        if isWhole {
            try await queueMissing(room.id, until: from)
        } else {
            fetches.continuation.yield(MatrixFetch(room: room.id, from: room.previousBatch, end: begun))
        }
    }

    /// Queues a fetch of the room's history if something is missing before an instant.
    private func queueMissing(_ room: String, until time: Timestamp) async throws {
        let start = try await archive.historyStart(room: reference(of: room), retriesLost: false)
        guard let start else { return }
        let isMissing = start.completeUntil < time
        let isHorizonDue = start.fetchedBackTo == nil && start.archivedSince > (horizon ?? .earliestPlausible)
        guard isMissing || isHorizonDue else { return }
        fetches.continuation.yield(MatrixFetch(room: room, from: nil, end: time))
    }

    /// The time back to which history is fetched at the first contact; nil for all of it.
    var horizon: Timestamp? { configuration.horizon.map { now().advanced(by: .zero - $0) } }

    /// Reads the events of a room in a sync. Learns names from its state first.
    private func read(_ room: MatrixSync.Room, at: Timestamp) -> [ChatEvent] {
        for event in room.state { learn(event, in: room.id) }
        return room.timeline.flatMap { event in
            learn(event, in: room.id)
            return events(of: event, in: room.id, at: at, .live)
        }
    }
}
