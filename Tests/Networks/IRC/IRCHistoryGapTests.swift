import Archive
import ChatModel
import IRC
import Reading
import Sessions
import TestSupport
import Testing

/// Tests that history which the server lacks or refuses is a gap.
struct IRCHistoryGapTests: IRCHistorySuite {
    let archiving: IRCArchiving

    init() throws {
        archiving = try IRCArchiving()
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `history that the server forgot is a permanent gap, and the rest is fetched`(kind: HistoryServer.Kind)
        async throws
    {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await outage(server) { server in
                try await Self.says(35, server)
                server.forgets(before: server.now + 20_000)
            }
            try await agrees(server)
            let gaps = try await archiving.gaps(in: "#example")
            #expect(gaps.map(\.missing?.unfilled) == ["limit"] && gaps.map(\.state) == [.lost])
            #expect(try await archiving.said().contains("#example alice: 중 34"))
            let asked = server.requests.count
            try await server.isAway(for: 60)
            try await joined(server)
            try await server.say("다시")
            try await archiving.holds("#example alice: 다시")
            try await eventually("it asks for what is new") { server.requests.count > asked ? true : nil }
            #expect(
                server.requests.dropFirst(asked).filter { $0.contains("#example") }.count <= 3,
                "what is lost is not asked for again")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, HistoryServer.Cut.allCases)
    func `messages that the server silently omits are a gap`(
        kind: HistoryServer.Kind, cut: HistoryServer.Cut
    ) async throws {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await outage(server, seconds: 20) { server in
                let now = server.now
                for number in 0..<50 { try await server.say("중 \(number)", at: now + Int64(number) * 200) }
                server.fails { $0.cut = cut }
            }
            try await agrees(server, outages: 20)
            let gaps = try await archiving.gaps(in: "#example")
            #expect(gaps.map(\.missing?.unfilled) == ["limit"], "\(server.requests)")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `a burst in one millisecond that is larger than a page is fetched or a gap`(kind: HistoryServer.Kind)
        async throws
    {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await outage(server) { server in
                try await Self.says(3, server)
                let now = server.now + 10_000
                for number in 0..<25 { try await server.say("한꺼번에 \(number)", at: now) }
                for number in 0..<5 { try await server.say("그 뒤 \(number)", at: now + 1 + Int64(number)) }
            }
            try await agrees(server)
            let gaps = try await archiving.gaps(in: "#example")
            #expect(gaps.map(\.missing?.unfilled) == (kind == .ids ? [] : ["burst"]))
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `a refusal is recorded with the server's text and retried later`(kind: HistoryServer.Kind) async throws {
        let server = HistoryServer(kind)
        server.fails { $0.silences = [8] }
        try await listening(to: server, Self.noticesSilence) {
            try await joined(server)
            try await server.say("전")
            try await archiving.holds("#example alice: 전")
            server.fails { $0.refusals = .max }
            try await server.isAway(for: 600) { try await Self.says(12, $0) }
            try await joined(server)
            var gap: Gap?
            try await eventually("the refusal is noted", state: { "\(String(describing: gap))" }) {
                gap = try await archiving.gaps(in: "#example").first
                return gap?.missing?.unfilled == "refused" ? true : nil
            }
            #expect(
                gap?.missing?.detail == "MESSAGE_ERROR: 지금은 안 된다" && gap?.missing?.nextTry != nil && gap?.state == .open
            )
            #expect(
                try archiving.archive.reading().rooms().first { $0.name == "#example" }?.trouble?.reason
                    == .noHistory)
            server.fails { $0.refusals = 0 }
            try await eventually("it is filled") { try await archiving.gaps(in: "#example").isEmpty ? true : nil }
            try await agrees(server, outages: 0)
            #expect(try archiving.archive.reading().rooms().first { $0.name == "#example" }?.trouble == nil)
        }
    }
}
