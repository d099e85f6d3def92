import Archive
import ChatModel
import IRC
import Reading
import Sessions
import TestSupport
import Testing

/// History of rooms and conversations that are new, and of what a person requests.
struct IRCFirstFetchTests: IRCHistorySuite {
    let archiving: IRCArchiving

    init() throws {
        archiving = try IRCArchiving()
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, [Int?.none, 0, 1])
    func `a new room is fetched back to the configured number of days`(
        kind: HistoryServer.Kind, days: Int?
    ) async throws {
        let server = HistoryServer(kind)
        for hour in 0..<36 { try await server.say("옛 \(hour)", at: server.now - Int64(36 - hour) * 3_600_000 - 60_000) }
        try await listening(to: server, { $0.historyDays = days }) {
            try await joined(server)
            try await server.say("후")
            try await archiving.holds("#example alice: 후")
            let expected = days == nil ? 37 : days == 0 ? 1 : 24
            var stored: [String] = []
            try await eventually("\(expected) are stored", state: { "\(stored) \(server.requests)" }) {
                stored = try await archiving.messages().compactMap { $0.kind == .message ? $0.body : nil }
                return stored.count >= expected ? true : nil
            }
            // A page may reach past the horizon, and what came is kept.
            #expect(stored == server.said.suffix(stored.count).map(\.text) && stored.count < expected + 10)
            try await hasNoGap(server)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, 3...6)
    func `an interrupted first fetch continues and is not repeated`(
        kind: HistoryServer.Kind, request: Int
    ) async throws {
        let server = HistoryServer(kind)
        for minute in 0..<36 { try await server.say("옛 \(minute)", at: server.now - Int64(36 - minute) * 60_000) }
        server.fails { $0.cuts = [request: 5] }
        try await listening(to: server) {
            try await joined(server)
            try await archiving.holds("#example alice: 옛 0")
            try await eventually("it is connected again", state: { "\(server.requests)" }) {
                server.connections == 2 ? true : nil
            }
            try await joined(server)
            try await server.say("사이")
            try await archiving.holds("#example alice: 사이")
            try await eventually("the first fetch is over", state: { "\(server.requests)" }) {
                archiving.reports.value.last?.backfill == nil ? true : nil
            }
            try await server.isAway(for: 60)
            try await joined(server)
            try await server.say("후")
            try await settled(server)
            let stored = try await archiving.messages().compactMap { $0.kind == .message ? $0.body : nil }
            #expect(stored == server.said.map(\.text))
            try await hasNoGap(server)
            #expect(server.requests.filter { $0.hasPrefix("BEFORE") }.count <= 8, "\(server.requests)")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `a conversation that began during an absence is found, and one without news is complete`(
        kind: HistoryServer.Kind
    ) async throws {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await joined(server)
            try await server.say("안녕", in: "archiver", by: "carol")
            try await archiving.holds("carol carol: 안녕")
            try await server.isAway(for: 3600) { server in
                let now = server.now
                for number in 0..<15 {
                    try await server.say("저예요 \(number)", in: "archiver", by: "민수", at: now + Int64(number))
                }
            }
            try await archiving.holds("민수 민수: 저예요 14")
            try await archiving.holds("민수 민수: 저예요 0")
            var gaps: [Gap] = []
            try await eventually("no gap is left in either", state: { "\(gaps) \(server.requests)" }) {
                gaps = try await archiving.gaps(in: "carol") + archiving.gaps(in: "민수")
                return gaps.isEmpty ? true : nil
            }
            #expect(try await archiving.messages().filter { $0.room == "민수" }.count == 15)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `a person can request missing history again, and history from before the archive`(
        kind: HistoryServer.Kind
    ) async throws {
        let server = HistoryServer(kind)
        let before = server.now - 600_000
        for minute in 0..<5 { try await server.say("옛 \(minute)", at: before + Int64(minute) * 60_000) }
        try await listening(to: server, { $0.historyDays = 0 }) {
            #expect(archiving.backfill(nil) == .notConnected || archiving.backfill(nil) == .requested(rooms: 0))
            try await outage(server) { server in
                try await Self.says(12, server)
                server.forgets(before: server.now + 5_000)
            }
            #expect(try await archiving.gaps(in: "#example").map(\.missing?.unfilled) == ["limit"])
            server.remembersAll()
            #expect(archiving.backfill("#example") == .requested(rooms: 1))
            try await settled(server)
            try await agrees(server, outages: 0, sinceArchived: true)
            try await hasNoGap(server)
            #expect(archiving.backfill("#nowhere") == .requested(rooms: 0))
            let since = Timestamp(microseconds: (before + 90_000) * 1000)
            #expect(archiving.backfill(nil, after: since) == .requested(rooms: 1))
            try await archiving.holds("#example alice: 옛 2")
            try await settled(server)
            try await hasNoGap(server)
        }
    }
}
