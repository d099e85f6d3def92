import ChatModel
import Testing

@testable import IRC

/// Where pages of history show that a bouncer was not in a room.
struct IRCInterruptionTests {
    private typealias Interruption = IRCInterruptions.Interruption

    private func at(_ time: Int64) -> Timestamp { Timestamp(microseconds: time) }

    private func move(_ time: Int64, _ isJoin: Bool = true) -> IRCInterruptions.Move {
        IRCInterruptions.Move(time: at(time), isJoin: isJoin)
    }

    /// `10-90 without 30, 50`, of each claim.
    private func claims(_ interruptions: inout IRCInterruptions, _ spans: (Int64, Int64)...) -> [String] {
        spans.map { span in
            let claim = interruptions.claim(from: at(span.0), to: at(span.1))
            let cuts = claim.interruptions.map { "\($0.from.map { "\($0.microseconds)-" } ?? "")\($0.to.microseconds)" }
            return "\(claim.from.microseconds)-\(claim.to.microseconds) without \(cuts.joined(separator: ", "))"
        }
    }

    @Test func `a join without a departure is an outage, and one after a departure an absence`() {
        var interruptions = IRCInterruptions(isForward: true)
        #expect(
            interruptions.addMoves([move(10), move(20, false), move(30)])
                == [Interruption(from: nil, to: at(10)), Interruption(from: at(20), to: at(30))])
    }

    @Test func `a departure and its join can be in two pages`() {
        var forward = IRCInterruptions(isForward: true)
        #expect(forward.addMoves([move(20, false)]).isEmpty)
        #expect(forward.addMoves([move(30)]) == [Interruption(from: at(20), to: at(30))])
        var backward = IRCInterruptions(isForward: false)
        #expect(backward.addMoves([move(30)]) == [Interruption(from: nil, to: at(30))])
        #expect(backward.addMoves([move(20, false)]) == [Interruption(from: at(20), to: at(30))])
    }

    @Test func `coverage that grows forward omits each interruption once`() {
        var interruptions = IRCInterruptions(isForward: true)
        _ = interruptions.addMoves([move(30)])
        #expect(claims(&interruptions, (10, 20), (10, 40)) == ["10-20 without ", "10-40 without 30"])
        _ = interruptions.addMoves([move(30), move(50)])
        #expect(claims(&interruptions, (10, 60), (10, 70)) == ["30-60 without 50", "50-70 without "])
    }

    @Test func `coverage that grows backward ends at the outermost interruption`() {
        var interruptions = IRCInterruptions(isForward: false)
        _ = interruptions.addMoves([move(50)])
        #expect(claims(&interruptions, (40, 90)) == ["40-90 without 50"])
        _ = interruptions.addMoves([move(30)])
        #expect(claims(&interruptions, (20, 90), (10, 90)) == ["20-50 without 30, 50", "10-30 without 30"])
    }

    @Test func `the newest page precedes the earlier ones, and can begin with a join`() {
        var interruptions = IRCInterruptions(isForward: true)
        _ = interruptions.addMoves([move(50), move(55)])
        #expect(claims(&interruptions, (50, 90)) == ["50-90 without 55"])
        interruptions.restart()
        #expect(interruptions.addMoves([move(10)]) == [Interruption(from: nil, to: at(10))])
        #expect(claims(&interruptions, (0, 29), (30, 49)) == ["0-29 without 10", "30-49 without 50"])
    }

    // MARK: - The account's own moves in a server's history

    /// Joined again, with the room's history fetched: two messages, and our own moves by their milliseconds.
    private func fetched(
        _ moves: [Int64: String], isKnown: Bool = true, tokens: String = "",
        change: (inout IRCConfiguration) -> Void = { _ in }
    ) -> IRCHistoryServerText {
        var server = IRCHistoryServerText(tokens: tokens, change: change)
        func line(_ time: Int64, _ verb: String) -> String {
            "msgid=m\(time);time=\(IRCHistoryServerText.time(time)) :archiver!a@h \(verb) #example"
        }
        server.text.receive("@" + line(1123, "JOIN"))
        let own = moves.sorted { $0.key < $1.key }.map { "@batch={};" + line($0.key, $0.value) }
        server.page = { _ in
            [
                IRCHistoryServerText.line("#example", "last", at: -3_605_000),
                IRCHistoryServerText.line("#example", "missed", at: -3_500_000),
            ] + own
        }
        var known = server.known("#example", last: -3_605_000, until: -3_600_000)
        if !isKnown { known.start = nil }
        server.learns(.room(known))
        server.answersAll()
        return server
    }

    /// Ergo replays them, and keeps the history of a room while the account is away.
    @Test(
        arguments: [
            [-3_590_000: "QUIT", 1123: "JOIN"], [1123: "JOIN"], [-60_000: "JOIN", 1123: "JOIN"],
        ] as [[Int64: String]], [true, false])
    func `an absence from a direct server with fetched history is complete`(
        moves: [Int64: String], isKnown: Bool
    ) {
        let server = fetched(moves, isKnown: isKnown)
        #expect(server.withdrawn.isEmpty && server.unfilled.isEmpty)
        #expect(server.fetched == ["#example \(isKnown ? -3_605_000 : -3_604_999)...1123"])
        #expect(server.text.messages.contains { $0.remoteID == "missed" })
    }

    /// The newest page has no archived message, so that the pages before it are requested after it.
    @Test(arguments: [-70_000, -60_000])
    func `each outage of a bouncer is a gap, even before the newest page and at its beginning`(newest: Int64) {
        var server = IRCHistoryServerText(tokens: "BOUNCER_NETID=1")
        func line(_ time: Int64, _ verb: String = "JOIN") -> String {
            "msgid=m\(time);time=\(IRCHistoryServerText.time(time)) :archiver!a@h \(verb) #example"
        }
        server.text.receive("@" + line(1123))
        let page: [(time: Int64, line: String)] =
            [-3_605_000, -3_500_000, -3_300_000, -70_000, -50_000].map {
                ($0, IRCHistoryServerText.line("#example", $0 == -3_605_000 ? "last" : "m\($0)", at: $0))
            } + [-3_400_000, -60_000].map { ($0, "@batch={};" + line($0)) }
        let lines = page.sorted { $0.time < $1.time }
        server.page = { request in
            lines.filter { request.first != "LATEST" || $0.time >= newest }.map(\.line)
        }
        server.learns(.room(server.known("#example", last: -3_605_000, until: -3_600_000)))
        server.answersAll()
        #expect(Set(server.withdrawn) == ["#example …...-3400000", "#example …...-60000"])
        #expect(server.unfilled.isEmpty)
        #expect(server.fetched == ["#example \(newest + 1)...1123", "#example -3605000...\(newest + 1)"])
    }

    @Test(
        arguments: [[-60_000: "JOIN"], [-3_590_000: "PART", -60_000: "JOIN"]] as [[Int64: String]], [true, false])
    func `an absence of a bouncer is a gap, whether the server or the configuration names it one`(
        moves: [Int64: String], isAnnounced: Bool
    ) {
        let server = fetched(moves, tokens: isAnnounced ? "BOUNCER_NETID=1" : "") {
            $0.staysInAllRooms = !isAnnounced
        }
        #expect(Set(server.withdrawn) == ["#example \(moves.count == 1 ? "…" : "-3590000")...-60000"])
    }
}
