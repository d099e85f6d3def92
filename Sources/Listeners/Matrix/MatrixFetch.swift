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
    /// The time by which servers' clocks may differ: pages are read that much beyond the last complete instant.
    private static let overlap = Duration.seconds(600)
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
        let complete = try await archive.completeUntil(room: room)
        // Without a gap after the first complete span, history is missing before it.
        let isGap = complete.map { $0 < fetch.end } ?? false
        let target = fetch.after ?? (isGap ? complete : horizon)
        var (end, from, empty) = (fetch.end, fetch.from, 0)
        while true {
            let page = try await client.messages(room: fetch.room, from: from)
            for event in page.state { learn(event, in: fetch.room) }
            let at = now()
            let times = page.events.compactMap(time)
            let oldest = times.min().map { min($0, end) }
            var events = page.events.reversed().flatMap {
                self.events(of: $0, in: fetch.room, at: at, .replay(Occurrence(), .microsecond))
            }
            let isOver = page.end == nil || page.end == from
            let isBeyond =
                target.map { target in
                    times.max().map { $0 < target.advanced(by: .zero - Self.overlap) } ?? false
                        || oldest.map { $0 < target.advanced(by: .zero - Self.overlap) } ?? false
                } ?? false
            if isOver || isBeyond {
                let start = isBeyond ? target ?? end : min(oldest ?? end, target ?? .max)
                events.append(.covered(session: session, room: room, from: min(start, end), to: end))
                if !isGap || fetch.after != nil { events.append(.fetchedBack(room, to: min(start, end))) }
            } else if let oldest, oldest < end {
                // Further events may have the time of the oldest one.
                let start = oldest.advanced(byMicroseconds: 1000)
                if start < end {
                    events.append(.covered(session: session, room: room, from: start, to: end))
                    end = start
                }
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

    private func time(of event: MatrixSync.Event) -> Timestamp? {
        event.bytes.flatMap { try? MatrixEvent($0, nameOf: { $0 }) }?.time
    }
}

extension Timestamp {
    fileprivate static let max = Timestamp(microseconds: .max)
}
