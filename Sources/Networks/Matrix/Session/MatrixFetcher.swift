import ChatModel
import LogFormats
import Logging
import MatrixWire
import Sessions

/// Fetches the queued history of several rooms at once. A ``MatrixWalk`` reads backwards, and knows when it has met what the
/// archive has.
struct MatrixFetcher: Sendable {
    let link: MatrixLink

    /// The limit of pages of a room without an event.
    private static let emptyPages = 20

    /// Fetches what is queued, until the task is cancelled.
    func run() async -> SessionEnd? {
        await link.dueRooms.stream.forEach(atOnce: link.configuration.fetchesAtOnce) { room in
            guard let fetch = link.mailbox.withSession({ $0.fetches.begin(room) }) else { return }
            report()
            await perform(fetch)
            if link.mailbox.withSession({ $0.fetches.end(room) }) { link.dueRooms.continuation.yield(room) }
            report()
        }
        return nil
    }

    /// Reports the rooms that are fetched, in the order in which they change.
    private func report() {
        link.mailbox.withSession { state in
            var progress = BackfillProgress(rooms: state.fetches.fetched.count)
            if let (room, count) = state.fetches.fetched.first(where: { $0.value > 0 }) {
                (progress.room, progress.messages) = (state.rooms.reference(of: room).name, count)
            }
            link.reporter.fetching(progress)
        }
    }

    private func perform(_ fetch: MatrixFetch) async {
        do {
            try await run(fetch)
        } catch let error as CallError {
            guard !Task.isCancelled else { return }
            let room = link.reference(of: fetch.room)
            link.listener.tools.logger.warning(
                "a room's history is incomplete", metadata: ["room": "\(room.name)", "reason": "\(error.detail)"])
            if error.code == .needsLogin, let end = link.end(of: error) { return link.mailbox.end(end) }
            // The next session tries again.
            if [.noPermission, .gone, .refused].contains(error.code) {
                link.buffer.push([
                    .unfilled(
                        UnfilledHistory(
                            room: room, from: link.horizon ?? .earliestPlausible, to: fetch.end, reason: .refused,
                            detail: error.detail), at: link.now())
                ])
            }
            link.reporter.noteError("\(room.name): a room's history is incomplete: \(error.detail)")
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else { return }
            link.mailbox.end(SessionEnd(reason: .store, detail: "the archive can't be read: \(error)"))
        }
    }

    private func run(_ fetch: MatrixFetch) async throws {
        // The events before are stored, so that the archive knows where it is complete.
        await link.buffer.waitUntilStored()
        let room = link.reference(of: fetch.room)
        let start = try await link.archive.historyStart(room: room, retriesLost: fetch.retriesLost)
        var walk = MatrixWalk(fetch, start, horizon: link.horizon)
        var page = try await firstPage(&walk)
        var empty = 0
        while true {
            page.events = try await link.keys.opened(page.events.reversed(), in: room).reversed()
            let at = link.now()
            let step = walk.take(events(of: page, fetch, room, walk, at: at), page, me: link.me)
            var events = step.events
            try await link.completeFacts(of: fetch.room, removed: Set(events.compactMap(\.deletedID)))
            if let listing = changedListing(of: fetch.room) { events.append(.roomListed(listing, at: at)) }
            if step.isOver {
                let hidesHistory = link.mailbox.withSession { $0.rooms[fetch.room]?.hidesHistory ?? false }
                events += walk.ending(session: link.session, room: room, hidesHistory: hidesHistory, at: at)
            } else if fetch.after == nil, let end = page.end {
                events.append(.fetching(room, HistoryPlace(place: end, end: walk.end)))
            }
            push(events, of: page, in: fetch.room)
            await link.buffer.waitForSpace()
            if step.isOver { break }
            empty = page.events.isEmpty ? empty + 1 : 0
            guard empty < Self.emptyPages else {
                throw CallError(code: .unexpected, detail: "the server's history has no end")
            }
            page = try await link.client.messages(room: fetch.room, from: walk.from)
        }
        guard fetch.after == nil else { return }
        // Another gap may be before or after this one.
        await link.buffer.waitUntilStored()
        let after = try await link.archive.historyStart(room: room, retriesLost: fetch.retriesLost)
        guard after?.completeUntil != start?.completeUntil || after?.fetchedBackTo != start?.fetchedBackTo else {
            return
        }
        try await link.queueMissing(fetch.room, until: fetch.end)
    }

    private func push(_ events: [ChatEvent], of page: MatrixMessages, in room: String) {
        link.buffer.push(events)
        link.keys.noteMissing(page.events, room: room)
        link.mailbox.withSession { $0.fetches.count(page.events.count, in: room) }
        report()
    }

    /// Returns the listing of a room that is listed, if it has changed.
    private func changedListing(of room: String) -> RoomListing? {
        link.mailbox.withSession { state in
            guard state.rooms[room]?.listing != nil else { return nil }
            return state.rooms.changedListing(of: room, me: link.me)
        }
    }

    /// Returns the page with which the walk begins. Begins at the end of the room if the server no longer knows the place.
    private func firstPage(_ walk: inout MatrixWalk) async throws -> MatrixMessages {
        do {
            return try await link.client.messages(room: walk.fetch.room, from: walk.from)
        } catch let error as CallError where walk.from != nil && [.refused, .gone].contains(error.code) {
            (walk.from, walk.end) = (nil, walk.fetch.end)
            return try await link.client.messages(room: walk.fetch.room, from: nil)
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
            return link.name(of: id)
        }
        for event in page.state {
            if case .success(let event) = MatrixReader.parse(event, nameOf: nameOf),
                case .member(let member, _) = event.meaning
            {
                names[member.user] = .some(member.name)
            }
        }
        let readUntil = link.mailbox.withSession { $0.rooms[fetch.room]?.readUntil }
        var oldest = walk.oldest
        return page.events.map { event in
            let read = MatrixReader.parse(event, nameOf: nameOf)
            let known = try? read.get()
            if let known { oldest = min(oldest, known.time) }
            var found = link.reader.events(
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
