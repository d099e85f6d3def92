import Archive
import ChatModel
import IRC
import Reading
import Sessions
import TestSupport
import Testing

/// A listener, an archive, and a server with CHATHISTORY on a socket: what was said against what is stored and what the
/// ledger says.
struct IRCHistoryTests {
    private let archiving: IRCArchiving

    init() throws {
        archiving = try IRCArchiving()
    }

    /// Runs the listener beside `body`, a hundred times as fast: a retry after 30 s comes at once.
    private func listening(
        to server: HistoryServer, rooms: [String] = ["#example"],
        _ change: @escaping (inout IRCConfiguration) -> Void = { _ in }, _ body: () async throws -> Void
    ) async throws {
        try await server.run { port in
            try await archiving.listening(
                port: port, rooms: rooms, clock: ScaledClock(factor: 100),
                { configuration in
                    configuration.backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(4))
                    // These would be found too short on a machine with much to do.
                    configuration.registrationTimeout = .seconds(10_000)
                    configuration.pingTimeout = .seconds(10_000)
                    configuration.joinTimeout = .seconds(10_000)
                    configuration.historyTimeout = .seconds(10_000)
                    change(&configuration)
                }, body)
        }
    }

    /// For a server that leaves requests without an answer.
    private static func noticesSilence(_ configuration: inout IRCConfiguration) {
        configuration.historyTimeout = .seconds(60)
    }

    /// Joined, five messages live, an outage, joined again, one message live, and all that there is to ask is asked.
    private func outage(
        _ server: HistoryServer, seconds: Int64 = 3600, _ missed: (HistoryServer) async throws -> Void
    ) async throws {
        try await joined(server)
        for number in 0..<5 { try await server.say("전 \(number)") }
        try await archiving.holds("#example alice: 전 4")
        try await server.isAway(for: seconds, missed)
        try await joined(server)
        try await server.say("후")
        try await settled(server)
    }

    private func joined(_ server: HistoryServer) async throws {
        try await eventually("the room is joined") { server.isJoined ? true : nil }
    }

    /// The last message is stored, and nothing is asked for any more.
    private func settled(_ server: HistoryServer) async throws {
        try await archiving.holds("#example alice: 후")
        var gaps: [Gap] = []
        try await eventually("all is asked for", state: { "\(gaps) \(server.requests)" }) { () -> Bool? in
            let last = archiving.reports.value.last
            guard last?.state == .connected, last?.backfill == nil else { return nil }
            // Between a connection and the first question, too, nothing is asked for.
            gaps = try await archiving.gaps(in: "#example")
            return gaps.allSatisfy { ["limit", "burst", "unsupported"].contains($0.missing?.unfilled) } ? true : nil
        }
        // What it told is in one batch with the last message of those that came after it.
        let end = "끝 \(server.said.count)"
        try await server.say(end)
        try await archiving.holds("#example alice: \(end)")
    }

    private func hasNoGap(_ server: HistoryServer, _ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let gaps = try await archiving.gaps(in: "#example")
        #expect(gaps == [], "\(server.requests)", sourceLocation: sourceLocation)
    }

    /// What is stored is what was said but for what lies in a recorded gap, once and in order; gaps are no longer than the
    /// outages and the time that it takes to notice them.
    ///
    /// - Parameter inPages: Messages of one time may be in the order of the pages that brought them, the newest page first.
    private func agrees(
        _ server: HistoryServer, in room: String = "#example", outages: Int64 = 3600, sinceArchived: Bool = false,
        inPages: Bool = false,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let stored = try await archiving.messages().filter { $0.room == room && $0.kind == .message }.map {
            $0.body ?? ""
        }
        let gaps = try await archiving.gaps(in: room)
        let said = server.said.filter { $0.room == room }.sorted {
            ($0.milliseconds, $0.number) < ($1.milliseconds, $1.number)
        }
        let spans = gaps.map { gap in
            gap.from.microseconds / 1000...((gap.to?.microseconds ?? .max) / 1000)
        }
        let storedTexts = Set(stored)
        let unarchived = sinceArchived ? said.prefix { !storedTexts.contains($0.text) }.count : 0
        let kept = said.dropFirst(unarchived).filter { said in
            storedTexts.contains(said.text) || !spans.contains { $0.contains(said.milliseconds) }
        }
        let times = Dictionary(said.map { ($0.text, $0.milliseconds) }, uniquingKeysWith: { first, _ in first })
        let isInOrder = stored.compactMap { times[$0] } == kept.map(\.milliseconds)
        #expect(
            inPages ? isInOrder && stored.sorted() == kept.map(\.text).sorted() : stored == kept.map(\.text),
            "\(stored) \(kept) \(gaps) \(server.requests)", sourceLocation: sourceLocation)
        let missing = spans.reduce(0) { $0 + $1.upperBound - $1.lowerBound } / 1000
        #expect(missing <= outages + 60, "\(gaps)", sourceLocation: sourceLocation)
    }

    /// One a second.
    private static func says(_ count: Int, _ server: HistoryServer) async throws {
        let now = server.now
        for number in 0..<count {
            try await server.say("중 \(number)", by: ["alice", "민수"][number % 2], at: now + Int64(number) * 1000)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, [0, 1, 9, 10, 11, 35])
    func `messages from an absence are fetched over any number of pages, without a gap`(
        kind: HistoryServer.Kind, count: Int
    ) async throws {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await outage(server) { try await Self.says(count, $0) }
            try await agrees(server)
            try await hasNoGap(server)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, 1...6)
    func `a connection that ends instead of or within an answer loses nothing`(
        kind: HistoryServer.Kind, request: Int
    ) async throws {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await outage(server) { server in
                // Of a room in which nothing was ever said, nobody can tell whether its history had more once.
                let asked = server.requests.count
                server.fails { faults in
                    faults.disconnects = [asked + request]
                    faults.cuts = [asked + request + 2: 4]
                }
                try await Self.says(35, server)
            }
            try await agrees(server)
            try await hasNoGap(server)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an id that the server forgot is found by its time`() async throws {
        let server = HistoryServer(.ids)
        try await listening(to: server) {
            try await outage(server) { server in
                try await Self.says(35, server)
                let count = server.said.count
                server.fails { $0.forgottenIDs = count - 35 }
            }
            try await agrees(server)
            #expect(server.requests.contains { $0.hasPrefix("AFTER #example msgid=") })
            #expect(server.requests.contains { $0.hasPrefix("AFTER #example timestamp=") })
        }
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
    func `equal messages of one second keep their number`(kind: HistoryServer.Kind) async throws {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await outage(server) { server in
                let now = server.now
                for number in 0..<25 { try await server.say("ㅋㅋㅋ", at: now + Int64(number / 4)) }
            }
            try await agrees(server)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `short pages and live messages before the answer are handled`(kind: HistoryServer.Kind) async throws {
        let server = HistoryServer(kind)
        server.fails { faults in
            faults.pageLimit = 3
            faults.saidBefore = [3: "끼어듦 1", 4: "끼어듦 2", 6: "끼어듦 3"]
        }
        try await listening(to: server) {
            try await outage(server) { try await Self.says(20, $0) }
            try await agrees(server)
            try await hasNoGap(server)
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

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, 1...6)
    func `with any failures, messages and coverage agree with what was said`(
        kind: HistoryServer.Kind, seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let server = HistoryServer(kind, limit: [3, 7, 10].randomElement(using: &random) ?? 3)
        server.fails { faults in
            for request in 1...60 where Int.random(in: 0..<6, using: &random) == 0 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: faults.disconnects.insert(request)
                case 1: faults.cuts[request] = Int.random(in: 0..<4, using: &random)
                case 2: faults.silences.insert(request)
                default: faults.saidBefore[request] = "끼어듦 \(request)"
                }
            }
        }
        try await listening(to: server, Self.noticesSilence) {
            var outages: Int64 = 0
            for round in 0..<4 {
                try await joined(server)
                for number in 0..<Int.random(in: (round == 0 ? 1 : 0)..<6, using: &random) {
                    try await server.say("\(round) 듣는 중 \(number)")
                }
                if round == 0 { try await archiving.holds("#example alice: 0 듣는 중 0") }
                let seconds = Int64.random(in: 20..<4000, using: &random)
                outages += seconds
                try await server.isAway(for: seconds) { server in
                    var time = server.now
                    for number in 0..<Int.random(in: 0..<25, using: &random) {
                        time += [0, 0, 1, 700].randomElement(using: &random) ?? 0
                        try await server.say("\(round) 없는 동안 \(number)", at: time)
                    }
                    if Int.random(in: 0..<3, using: &random) == 0 { server.forgets(before: server.now + 300) }
                }
            }
            try await joined(server)
            try await server.say("후")
            try await settled(server)
            try await agrees(server, outages: outages, inPages: true)
        }
    }
}
