import ChatModel
import LogFormats
import Logging
import MatrixWire
import Synchronization

/// History to fetch: the events of a room before an instant from which on it is complete.
struct MatrixFetch: Sendable {
    var room: String
    /// The server's token from which to read backwards; nil for the end of the room.
    var from: String?
    /// The instant from which on the archive has everything.
    var end: Timestamp
    /// The instant back to which everything is fetched, whatever the archive has; nil for what is missing.
    var after: Timestamp?
}

/// Fetches history, backwards.
extension MatrixLink {
    /// The time by which all events of a page must be before the gap, if none of them is known: no clock of a server is that
    /// wrong.
    private static let unproven = Duration.seconds(86_400)
    /// The limit of pages of a room without an event.
    private static let emptyPages = 20

    func fetchAll() async -> SessionEnd? {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await fetch in fetches.stream {
                if running == configuration.fetchesAtOnce {
                    await group.next()
                    running -= 1
                }
                running += 1
                state.withLock { $0.fetching[fetch.room] = 0 }
                report()
                group.addTask {
                    await self.fetch(fetch)
                    self.state.withLock { $0.fetching[fetch.room] = nil }
                    self.report()
                }
            }
        }
        return nil
    }

    /// Requests the history of one room, or of all rooms that are received.
    func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer {
        let end = now()
        let rooms = state.withLock { state in
            state.rooms.values.filter { $0.isLive && (room == nil || $0.id == room?.key) }.map(\.id).sorted()
        }
        for id in rooms { fetches.continuation.yield(MatrixFetch(room: id, from: nil, end: end, after: after)) }
        return .requested(rooms: rooms.count)
    }

    private func report() {
        let fetching = state.withLock { $0.fetching }
        var progress = BackfillProgress(rooms: fetching.count)
        if let (room, count) = fetching.first(where: { $0.value > 0 }) {
            (progress.room, progress.messages) = (reference(of: room).name, count)
        }
        reporter.fetching(progress)
    }

    private func fetch(_ fetch: MatrixFetch) async {
        do {
            try await run(fetch)
        } catch let error as MatrixError {
            guard !Task.isCancelled else { return }
            let room = reference(of: fetch.room)
            listener.tools.logger.warning(
                "a room's history is incomplete", metadata: ["room": "\(room.name)", "reason": "\(error.detail)"])
            if error.code == .needsLogin, let end = end(of: error) { return fail(end) }
            // The next session tries again.
            reporter.noteError("\(room.name): a room's history is incomplete: \(error.detail)")
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else { return }
            fail(SessionEnd(reason: .store, detail: "the archive can't be read: \(error)"))
        }
    }

    private func run(_ fetch: MatrixFetch) async throws {
        // The events before are stored, so that the archive knows where it is complete.
        await buffer.waitUntilStored()
        let room = reference(of: fetch.room)
        let start = try await archive.historyStart(room: room, retriesLost: true)
        // Without a gap after the first complete span, history is missing before it.
        let gap = fetch.after == nil ? start.flatMap { $0.completeUntil < fetch.end ? $0 : nil } : nil
        let target = fetch.after ?? gap?.completeUntil ?? horizon
        let known = Set((gap?.anchors ?? []).compactMap(\.remoteID))
        var (from, empty) = (fetch.from, 0)
        var oldest = fetch.end
        while true {
            let page = try await client.messages(room: fetch.room, from: from)
            for event in page.state { learn(event, in: fetch.room) }
            let at = now()
            let times = page.events.compactMap(time)
            oldest = min(oldest, times.min() ?? oldest)
            var events = page.events.reversed().flatMap {
                self.events(of: $0, in: fetch.room, at: at, .replay(Occurrence(), .microsecond), instant: oldest)
            }
            let isOver = page.end == nil || page.end == from
            let newest = times.max()
            // Times of other servers prove little: only an event that the archive has before the gap ends a gap.
            let isBeyond =
                known.isEmpty
                ? isBefore(newest, target) : hasAny(events, known) || isBefore(newest, target, by: Self.unproven)
            if isOver || isBeyond {
                let start = min(isBeyond ? target ?? oldest : min(oldest, target ?? oldest), fetch.end)
                events.append(.covered(session: session, room: room, from: start, to: fetch.end))
                if gap == nil { events.append(.fetchedBack(room, to: start)) }
            }
            buffer.push(events)
            state.withLock { $0.fetching[fetch.room, default: 0] += page.events.count }
            report()
            await buffer.waitForSpace()
            if isOver || isBeyond { return }
            empty = page.events.isEmpty ? empty + 1 : 0
            guard empty < Self.emptyPages else { throw MatrixError(.unexpected, "the server's history has no end") }
            from = page.end
        }
    }

    private func isBefore(_ newest: Timestamp?, _ target: Timestamp?, by lead: Duration = .zero) -> Bool {
        guard let newest, let target else { return false }
        return newest < target.advanced(by: .zero - lead)
    }

    /// Returns true if one of the messages has one of the ids.
    private func hasAny(_ events: [ChatEvent], _ ids: Set<String>) -> Bool {
        events.contains { event in
            if case .message(let message, .replay) = event {
                message.remoteID.map(ids.contains) ?? false
            } else {
                false
            }
        }
    }

    private func time(of event: MatrixSync.Event) -> Timestamp? {
        event.bytes.flatMap { try? MatrixEvent($0, nameOf: { $0 }) }?.time
    }
}
