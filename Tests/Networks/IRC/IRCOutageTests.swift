import ChatModel
import IRC
import Sessions
import TestSupport
import Testing

/// A bouncer (soju, scripted) that loses its network while we are connected to it, or ends: what was said then is a gap.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IRCOutageTests {
    private let archiving: IRCArchiving

    init() throws {
        archiving = try IRCArchiving()
    }

    private func listening(to server: HistoryServer, _ body: () async throws -> Void) async throws {
        try await server.run { port in
            try await archiving.listening(
                port: port, rooms: [], clock: ScaledClock(factor: 100),
                { configuration in
                    configuration.backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(4))
                    configuration.registrationTimeout = .seconds(10_000)
                    configuration.pingTimeout = .seconds(10_000)
                    configuration.joinTimeout = .seconds(10_000)
                    configuration.historyTimeout = .seconds(10_000)
                    configuration.staysInAllRooms = true
                }, body)
        }
    }

    /// Waits until the room is joined and whatever there is to ask is asked, and says something.
    private func says(_ text: String, _ server: HistoryServer) async throws {
        try await eventually("the room is joined") { server.isJoined ? true : nil }
        try await server.say(text)
        try await archiving.holds("#example alice: \(text)")
        try await eventually("all is asked for", state: { "\(server.requests)" }) { () -> Bool? in
            let last = archiving.reports.value.last
            guard last?.state == .connected, last?.backfill == nil else { return nil }
            return try await archiving.gaps(in: "#example").allSatisfy { $0.missing?.unfilled != "pending" }
                ? true : nil
        }
        try await server.say(text + "!")
        try await archiving.holds("#example alice: \(text)!")
    }

    private static func misses(_ server: HistoryServer) async throws {
        let now = server.now
        for number in 0..<10 { try await server.say("없다 \(number)", at: now + Int64(number) * 100) }
        try await server.say("없다", in: "archiver", by: "carol", at: now + 500)
    }

    /// Whatever was said is stored, or lies in a gap of its room; and the gaps are no longer than the outages and ten
    /// seconds of the clock, a tenth of a real one.
    private func agrees(_ server: HistoryServer, _ rooms: [String: [String]], seconds: Int64) async throws {
        for (room, stored) in rooms {
            let name = room == "archiver" ? "carol" : room
            let found = try await archiving.messages().filter { $0.room == name && $0.kind == .message }
                .map { $0.body ?? "" }
            #expect(found == stored)
            let gaps = try await archiving.gaps(in: name)
            for said in server.said where said.room == room && !said.text.isEmpty && !stored.contains(said.text) {
                #expect(
                    gaps.contains { gap in
                        gap.from.microseconds < said.milliseconds * 1000
                            && gap.to.map { $0.microseconds > said.milliseconds * 1000 } ?? true
                    }, "\(said) \(gaps)")
            }
            let length = gaps.map { ($0.to ?? .now()).since($0.from).components.seconds }.reduce(0, +)
            #expect(length <= seconds + 9, "\(gaps)")
            for gap in gaps { #expect(gap.reason == "bouncer" && gap.state == .lost, "\(gap)") }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, [true, false])
    func `a bouncer's lost network is a gap, whether it reports it or joins again`(
        kind: HistoryServer.Kind, says isTold: Bool
    ) async throws {
        let server = HistoryServer(kind, isBouncer: true)
        try await listening(to: server) {
            try await server.say("나", in: "archiver", by: "carol")
            try await says("전", server)
            try await server.losesNetwork(for: 15, says: isTold, Self.misses)
            try await says("후", server)
            try await server.say("나!", in: "archiver", by: "carol")
            try await archiving.holds("carol carol: 나!")
            try await agrees(
                server, ["#example": ["전", "전!", "후", "후!"], "archiver": ["나", "나!"]], seconds: 16)
            #expect(try await archiving.gaps(in: "#example").count == 1)
        }
    }

    /// A time at the beginning of a second may be one without a fraction, and one at its end is like the end of such a time.
    @Test(arguments: HistoryServer.Kind.allCases, [0, 999])
    func
        `what is said while a bouncer has lost its network is a gap, also if it joins again where a second begins or ends`(
            kind: HistoryServer.Kind, millisecond: Int64
        ) async throws
    {
        let server = HistoryServer(kind, isBouncer: true)
        try await listening(to: server) {
            try await says("전", server)
            try await server.losesNetwork(for: 15, says: false, joinsAt: millisecond) { server in
                try await Self.misses(server)
                let join = server.now + 7_500
                let second = (join - millisecond + 999) / 1000 * 1000 + millisecond
                try await server.say("없다 끝", at: second - 600)
            }
            try await says("후", server)
            try await agrees(server, ["#example": ["전", "전!", "후", "후!"]], seconds: 18)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `a bouncer's absence is a gap, even with continuous history`(
        kind: HistoryServer.Kind
    ) async throws {
        let server = HistoryServer(kind, isBouncer: true)
        try await listening(to: server) {
            try await server.say("나", in: "archiver", by: "carol")
            try await says("전", server)
            for round in 1...2 {
                try await server.isKilled(for: 15, Self.misses)
                try await server.say("나 \(round)", in: "archiver", by: "carol")
                try await says("후 \(round)", server)
                try await archiving.holds("carol carol: 나 \(round)")
            }
            try await agrees(
                server,
                [
                    "#example": ["전", "전!", "후 1", "후 1!", "후 2", "후 2!"], "archiver": ["나", "나 1", "나 2"],
                ], seconds: 32)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `messages that a bouncer received during our absence are not a gap`(kind: HistoryServer.Kind) async throws {
        let server = HistoryServer(kind, isBouncer: true)
        try await listening(to: server) {
            try await says("전", server)
            try await server.losesNetwork(for: 15, Self.misses)
            try await says("후", server)
            let before = try await archiving.gaps(in: "#example")
            for round in 1...2 {
                try await server.isAway(for: 60) { try await $0.say("사이 \(round)") }
                try await says("또 \(round)", server)
            }
            #expect(try await archiving.gaps(in: "#example") == before)
            try await archiving.holds("#example alice: 사이 2")
        }
    }
}
