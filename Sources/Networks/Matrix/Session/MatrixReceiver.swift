import ChatModel
import LogFormats
import Logging
import MatrixWire
import Sessions

/// Receives what is new in an account's rooms, by one sync after the other.
///
/// `MatrixSync` cuts a sync into rooms while its bytes come.
struct MatrixReceiver: Sendable {
    let link: MatrixLink

    /// Receives until the connection ends.
    ///
    /// - Returns: Nil if the task was cancelled.
    func run() async -> SessionEnd? {
        do {
            var place = MatrixPlace(try await link.archive.reachedPlace())
            try await recall()
            await link.openKeys()
            var isFirst = true
            while !Task.isCancelled {
                // Everything that the server got before the call is in the answer.
                let begun = link.now()
                do {
                    place = try await sync(after: place, isFirst: isFirst, begun: begun)
                } catch let error as CallError where place != nil && error.code == .refused {
                    // The server no longer knows the place.
                    link.listener.tools.logger.warning(
                        "the server does not know the last place; reading all rooms again",
                        metadata: ["reason": "\(error.detail)"])
                    place = nil
                    continue
                }
                isFirst = false
                await link.buffer.waitForSpace()
            }
            return nil
        } catch {
            return link.end(of: error)
        }
    }

    /// Learns the rooms that the archive has.
    private func recall() async throws {
        let rooms = try await link.archive.expectedRooms(kind: .channel) + link.archive.expectedRooms(kind: .direct)
        let (partners, workspaces) = (try await link.archive.partners(), try await link.archive.workspaces())
        link.mailbox.withSession { state in
            for room in rooms {
                let partner = room.kind == .direct ? partners[room.key] : nil
                state.rooms.recall(RoomListing(room: room, workspace: workspaces[room.key], partner: partner))
                let isOutside = !link.joined.contains(room.key)
                state.rooms.change(room.key) { $0.isOutside = isOutside }
            }
        }
    }

    /// Makes one sync.
    ///
    /// - Returns: The place that was reached.
    private func sync(after place: MatrixPlace?, isFirst: Bool, begun: Timestamp) async throws -> MatrixPlace? {
        let last = link.mailbox.withSession { $0.lastSignOfLife }
        var reached = place
        // An answer that breaks off is requested again.
        var begunRooms: Set<String> = []
        let filter = MatrixFilter(archiving: link.configuration.timeline)
        let wait = isFirst ? .zero : link.configuration.wait
        try await link.client.sync(since: place?.token, wait: wait, filter: filter) { item in
            switch item {
            case .room(var room):
                room.isLimited = room.isLimited && begunRooms.insert(room.id).inserted
                room.timeline = try await link.keys.opened(room.timeline, in: link.reference(of: room.id))
                try await receive(room, after: place?.time, last: last, begun: begun)
                link.keys.noteMissing(room.timeline, room: room.id)
                await link.buffer.waitForSpace()
            case .accountData(let event):
                if let data = event.bytes.flatMap(MatrixAccountData.init(event:)) { link.take(data) }
            case .next(let token):
                let next = MatrixPlace(time: begun, token: token)
                if isFirst { try await beginQuietRooms(after: place?.time, begun: begun) }
                listChangedRooms()
                link.mailbox.withSession { $0.lastSignOfLife = begun }
                link.buffer.push([.reached(place: next.text), .signOfLife(session: link.session, at: begun)])
                link.reporter.noteSignOfLife(at: begun)
                reached = next
            }
        }
        return reached
    }

    /// Lists the rooms that another room's change concerns, such as those of a space with a new name.
    private func listChangedRooms() {
        let at = link.now()
        let changed = link.mailbox.withSession {
            $0.rooms.areListingsStale ? $0.rooms.changedListings(me: link.me) : []
        }
        link.buffer.push(changed.map { .roomListed($0, at: at) })
    }

    /// Begins the rooms in which nothing happened since the last session. The account has left those that it is not in, and
    /// those that a sync from the beginning does not have.
    private func beginQuietRooms(after time: Timestamp?, begun: Timestamp) async throws {
        let quiet = link.mailbox.withSession { state in
            state.rooms.all.filter { !$0.isLive && !$0.isInvited && $0.listing != nil }.map { ($0.id, $0.isOutside) }
        }
        for (room, isOutside) in quiet.sorted(by: { $0.0 < $1.0 }) {
            let reference = link.reference(of: room)
            guard let time, !isOutside else {
                leaveQuietly(room, reference, begun: begun)
                continue
            }
            link.buffer.push([
                .roomLive(session: link.session, room: reference, at: begun),
                .covered(session: link.session, room: reference, from: time, to: begun),
            ])
            link.mailbox.withSession { $0.rooms.change(room) { $0.isLive = true } }
            try await link.queueMissing(room, until: time)
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
        let at = link.now()
        guard link.mailbox.withSession({ $0.rooms.count < MatrixRooms.maximum || $0.rooms[room.id] != nil }) else {
            throw CallError(code: .unexpected, detail: "the account has more than \(MatrixRooms.maximum) rooms")
        }
        switch room.section {
        case .join: try await join(room, after: time, last: last, begun: begun, at: at)
        case .leave: leave(room, after: time, last: last, begun: begun, at: at)
        case .invite: invite(room, at: at)
        // The room's members have not answered yet.
        case .knock: break
        }
    }

    private func join(
        _ room: MatrixSync.Room, after time: Timestamp?, last: Timestamp, begun: Timestamp, at: Timestamp
    ) async throws {
        let (known, wasLive) = noteJoined(room, after: time)
        let events = chatEvents(of: room, at: at)
        let removed = Set(events.compactMap(\.deletedID))
        try await link.completeFacts(of: room.id, removed: removed)
        let reference = link.reference(of: room.id)
        let listing = link.mailbox.withSession { $0.rooms.changedListing(of: room.id, me: link.me) }
        var before: [ChatEvent] = listing.map { [.roomListed($0, at: at)] } ?? []
        let read = receipt(of: room, reference)
        guard !wasLive || room.isLimited else {
            // The events were read before a removed name was taken away, and would bring it back.
            return link.buffer.push(removed.isEmpty ? before + events + read : events + before + read)
        }
        if wasLive {
            before.append(.roomSilent(session: link.session, room: reference, at: last, reason: .lost))
        }
        let isWhole = time != nil && known.listing != nil && !known.isInvited && !known.isOutside && !room.isLimited
        let joined = events.compactMap(\.ownJoin).last
        let hidesHistory = link.mailbox.withSession { $0.rooms[room.id]?.hidesHistory ?? false }
        // Otherwise, the times of events are those of many servers, and prove nothing.
        let live = hidesHistory ? max(begun, min(joined ?? begun, at)) : begun
        let from = isWhole ? time ?? live : live
        link.buffer.push(
            before + events + [.roomLive(session: link.session, room: reference, at: live)]
                + (from < live ? [.covered(session: link.session, room: reference, from: from, to: live)] : []) + read)
        if isWhole {
            try await link.queueMissing(room.id, until: from)
        } else {
            link.queue(MatrixFetch(room: room.id, from: room.previousBatch, end: live, joined: joined))
        }
    }

    /// Notes that the account is in a room.
    ///
    /// - Returns: What was known of the room before, and true if it was live.
    private func noteJoined(_ room: MatrixSync.Room, after time: Timestamp?) -> (known: MatrixRoom, wasLive: Bool) {
        link.mailbox.withSession { state in
            let wasLive = state.rooms[room.id]?.isLive ?? false
            return state.rooms.change(room.id) { known in
                if !room.heroes.isEmpty { known.heroes = room.heroes.filter { $0 != link.me } }
                // The state of a room that is new to the session is whole.
                let isNew = time == nil || known.listing == nil || known.isInvited || known.isOutside
                known.hasAllFacts = known.hasAllFacts || isNew
                defer { (known.isLive, known.isInvited, known.isOutside) = (true, false, false) }
                return (known, wasLive)
            }
        }
    }

    /// Lists a room to which somebody has invited the account. The account's owner accepts in a client, after which the
    /// room is among the joined ones.
    private func invite(_ room: MatrixSync.Room, at: Timestamp) {
        let facts = room.state.compactMap { $0.bytes.flatMap(MatrixStrippedEvent.init) }
        let listing = link.mailbox.withSession { $0.rooms.invite(to: room.id, facts, me: link.me) }
        guard let listing else { return }
        // Some servers send the invitation itself without its id and time.
        let said = room.state.flatMap { event -> [ChatEvent] in
            let read = MatrixReader.parse(event, nameOf: link.name)
            guard case .success(let invitation) = read, invitation.stateKey == link.me else { return [] }
            return link.reader.events(of: event, read, in: listing.room, at: at, .live, nameOf: link.name)
        }
        link.buffer.push([.roomListed(listing, at: at)] + said)
    }

    /// Returns the event for what the account's owner has read in a client.
    private func receipt(of room: MatrixSync.Room, _ reference: RoomReference) -> [ChatEvent] {
        let receipts = room.receipts.compactMap { $0.bytes.flatMap { MatrixReceipt.latest(in: $0, of: link.me) } }
        guard let latest = receipts.max(by: { $0.milliseconds ?? 0 < $1.milliseconds ?? 0 }) else { return [] }
        let at = latest.milliseconds.map { min(Timestamp(milliseconds: $0), link.now()) } ?? .earliestPlausible
        link.mailbox.withSession { $0.rooms.change(room.id) { $0.readUntil = max(at, $0.readUntil ?? at) } }
        return [.read(reference, upTo: latest.event, at: at)]
    }

    /// Returns the events for those of a room in a sync. Learns from its state first.
    func chatEvents(of room: MatrixSync.Room, at: Timestamp) -> [ChatEvent] {
        func learn(_ event: MatrixEvent) -> [ChatEvent] {
            link.mailbox.withSession { $0.rooms.learn(event, in: room.id, me: link.me, at: at) }
        }
        var found: [ChatEvent] = []
        for event in room.state {
            if case .success(let read) = MatrixReader.parse(event, nameOf: link.name) { found += learn(read) }
        }
        for event in room.timeline {
            let read = MatrixReader.parse(event, nameOf: link.name)
            if case .success(let read) = read { found += learn(read) }
            found += link.reader.events(
                of: event, read, in: link.reference(of: room.id), at: at, .live, nameOf: link.name)
        }
        return found
    }
}

extension ChatEvent {
    /// The id of the event that this one removes; nil for another event.
    var deletedID: String? { if case .deleted(let deletion) = self { deletion.remoteID } else { nil } }

    /// The time of a join of the account itself; nil for another event.
    fileprivate var ownJoin: Timestamp? {
        guard case .message(let message, _) = self, message.kind == .join, message.sender?.isSelf == true else {
            return nil
        }
        return message.sourceTime
    }
}
