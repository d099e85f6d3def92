import ChatModel
import LogFormats
import Logging
import MatrixWire
import Sessions

/// History to fetch: the events of a room before an instant from which on it is complete.
struct MatrixFetch: Sendable {
    var room: String
    /// The server's token from which to read backwards; nil for the end of the room.
    var from: String?
    /// The instant from which on the archive has everything.
    var end: Timestamp
    /// When the account joined, if that is after the first place; nil if unknown.
    var joined: Timestamp?
    /// The instant back to which everything is fetched, whatever the archive has; nil for what is missing.
    var after: Timestamp?
    /// True to look again for history that the server did not have before.
    var retriesLost = false
}

/// Fetches history, backwards.
extension MatrixLink {
    /// The limit of pages of a room without an event.
    private static let emptyPages = 20

    func fetchAll() async -> SessionEnd? {
        await dueRooms.stream.forEach(atOnce: configuration.fetchesAtOnce) { room in
            guard let fetch = self.mailbox.withSession({ $0.fetches.begin(room) }) else { return }
            self.report()
            await self.fetch(fetch)
            if self.mailbox.withSession({ $0.fetches.end(room) }) { self.dueRooms.continuation.yield(room) }
            self.report()
        }
        return nil
    }

    func queue(_ fetch: MatrixFetch) {
        if mailbox.withSession({ $0.fetches.add(fetch) }) { dueRooms.continuation.yield(fetch.room) }
    }

    /// Requests the history of one room, or of all rooms that are received.
    func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer {
        let end = now()
        let rooms = mailbox.withSession { state in
            state.rooms.all.filter { $0.isLive && (room == nil || $0.id == room?.key) }.map(\.id).sorted()
        }
        for id in rooms {
            queue(MatrixFetch(room: id, from: nil, end: end, after: after, retriesLost: true))
        }
        return .requested(rooms: rooms.count)
    }

    /// Reports the rooms that are fetched, in the order in which they change.
    private func report() {
        mailbox.withSession { state in
            var progress = BackfillProgress(rooms: state.fetches.fetched.count)
            if let (room, count) = state.fetches.fetched.first(where: { $0.value > 0 }) {
                (progress.room, progress.messages) = (state.rooms.reference(of: room).name, count)
            }
            reporter.fetching(progress)
        }
    }

    private func fetch(_ fetch: MatrixFetch) async {
        do {
            try await run(fetch)
        } catch let error as CallError {
            guard !Task.isCancelled else { return }
            let room = reference(of: fetch.room)
            listener.tools.logger.warning(
                "a room's history is incomplete", metadata: ["room": "\(room.name)", "reason": "\(error.detail)"])
            if error.code == .needsLogin, let end = end(of: error) { return mailbox.end(end) }
            // The next session tries again.
            if [.noPermission, .gone, .refused].contains(error.code) {
                buffer.push([
                    .unfilled(
                        UnfilledHistory(
                            room: room, from: horizon ?? .earliestPlausible, to: fetch.end, reason: .refused,
                            detail: error.detail), at: now())
                ])
            }
            reporter.noteError("\(room.name): a room's history is incomplete: \(error.detail)")
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else { return }
            mailbox.end(SessionEnd(reason: .store, detail: "the archive can't be read: \(error)"))
        }
    }

    private func run(_ fetch: MatrixFetch) async throws {
        // The events before are stored, so that the archive knows where it is complete.
        await buffer.waitUntilStored()
        let room = reference(of: fetch.room)
        let start = try await archive.historyStart(room: room, retriesLost: fetch.retriesLost)
        var walk = MatrixWalk(fetch, start, horizon: horizon)
        var page = try await firstPage(&walk)
        var empty = 0
        while true {
            let at = now()
            let step = walk.take(events(of: page, fetch, room, walk, at: at), page, me: me)
            var events = step.events
            try await completeFacts(of: fetch.room, removed: Set(events.compactMap(\.deletedID)))
            if let listing = changedListing(of: fetch.room) { events.append(.roomListed(listing, at: at)) }
            if step.isOver {
                let hidesHistory = mailbox.withSession { $0.rooms[fetch.room]?.hidesHistory ?? false }
                events += walk.ending(session: session, room: room, hidesHistory: hidesHistory, at: at)
            } else if fetch.after == nil, let end = page.end {
                events.append(.fetching(room, HistoryPlace(place: end, end: walk.end)))
            }
            buffer.push(events)
            mailbox.withSession { $0.fetches.count(page.events.count, in: fetch.room) }
            report()
            await buffer.waitForSpace()
            if step.isOver { break }
            empty = page.events.isEmpty ? empty + 1 : 0
            guard empty < Self.emptyPages else {
                throw CallError(code: .unexpected, detail: "the server's history has no end")
            }
            page = try await client.messages(room: fetch.room, from: walk.from)
        }
        guard fetch.after == nil else { return }
        // Another gap may be before or after this one.
        await buffer.waitUntilStored()
        let after = try await archive.historyStart(room: room, retriesLost: fetch.retriesLost)
        guard after?.completeUntil != start?.completeUntil || after?.fetchedBackTo != start?.fetchedBackTo else {
            return
        }
        try await queueMissing(fetch.room, until: fetch.end)
    }

    /// Returns the listing of a room that is listed, if it has changed.
    private func changedListing(of room: String) -> RoomListing? {
        mailbox.withSession { state in
            guard state.rooms[room]?.listing != nil else { return nil }
            return state.rooms.changedListing(of: room, me: me)
        }
    }

    /// Returns the page with which the walk begins. Begins at the end of the room if the server no longer knows the place.
    private func firstPage(_ walk: inout MatrixWalk) async throws -> MatrixMessages {
        do {
            return try await client.messages(room: walk.fetch.room, from: walk.from)
        } catch let error as CallError where walk.from != nil && [.refused, .gone].contains(error.code) {
            (walk.from, walk.end) = (nil, walk.fetch.end)
            return try await client.messages(room: walk.fetch.room, from: nil)
        }
    }

    /// Returns the page's events for the archive, the newest first, each with what it was read from.
    private func events(
        of page: MatrixMessages, _ fetch: MatrixFetch, _ room: RoomReference, _ walk: MatrixWalk, at: Timestamp
    ) -> [MatrixWalk.Read] {
        // The names at the page's newest event. A change of a name has the one before.
        var names: [String: String?] = [:]
        func nameOf(_ id: String) -> String {
            if let known = names[id] { return known ?? id }
            return name(of: id)
        }
        for event in page.state {
            if case .success(let event) = MatrixReader.parse(event, nameOf: nameOf),
                case .member(let member, _) = event.meaning
            {
                names[member.user] = .some(member.name)
            }
        }
        let readUntil = mailbox.withSession { $0.rooms[fetch.room]?.readUntil }
        var oldest = walk.oldest
        return page.events.map { event in
            let read = MatrixReader.parse(event, nameOf: nameOf)
            let known = try? read.get()
            if let known { oldest = min(oldest, known.time) }
            var found = reader.events(
                of: event, read, in: room, at: at, .replay(Occurrence(), .microsecond), instant: oldest, nameOf: nameOf)
            if let known, let readUntil, known.time <= readUntil { found = found.map(\.asRead) }
            if case .member(let member, _) = known?.meaning, member.hasPrevious {
                names[member.user] = .some(member.oldName)
            }
            return MatrixWalk.Read(event: known, found: found)
        }
    }
}

extension ChatEvent {
    /// The same event, as one that the account's owner has read.
    fileprivate var asRead: ChatEvent {
        guard case .message(var message, let hearing) = self else { return self }
        message.flags.insert(.readOnArrival)
        return .message(message, hearing)
    }
}
