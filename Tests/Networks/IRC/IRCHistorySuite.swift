import Archive
import ChatModel
import IRC
import Reading
import Sessions
import TestSupport
import Testing

/// A suite with a listener, an archive, and a server with CHATHISTORY on a socket. It compares what was said with what is
/// stored and with the ledger of coverage.
protocol IRCHistorySuite: Sendable {
    var archiving: IRCArchiving { get }
}

extension IRCHistorySuite {
    /// Runs the listener beside `body`, a hundred times as fast: a retry after 30 s comes at once.
    func listening(
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
    static func noticesSilence(_ configuration: inout IRCConfiguration) {
        configuration.historyTimeout = .seconds(60)
    }

    /// Joined, five messages live, an outage, joined again, one message live, and all that there is to ask is asked.
    func outage(
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

    func joined(_ server: HistoryServer) async throws {
        try await eventually("the room is joined") { server.isJoined ? true : nil }
    }

    /// The last message is stored, and nothing is asked for any more.
    func settled(_ server: HistoryServer) async throws {
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

    func hasNoGap(_ server: HistoryServer, _ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let gaps = try await archiving.gaps(in: "#example")
        #expect(gaps == [], "\(server.requests)", sourceLocation: sourceLocation)
    }

    /// Expects each message once and in order, except those in recorded gaps, which are no longer than the outages and the
    /// time that it takes to notice them.
    ///
    /// - Parameter inPages: Messages of one time may be in the order of the pages that brought them, the newest page first.
    func agrees(
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
    static func says(_ count: Int, _ server: HistoryServer) async throws {
        let now = server.now
        for number in 0..<count {
            try await server.say("중 \(number)", by: ["alice", "민수"][number % 2], at: now + Int64(number) * 1000)
        }
    }
}
