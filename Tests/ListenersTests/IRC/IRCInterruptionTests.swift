import ChatModel
import Testing

@testable import Listeners

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

    @Test func `a join without a departure is an outage, one behind a departure an absence`() {
        var interruptions = IRCInterruptions(isForward: true)
        #expect(
            interruptions.add([move(10), move(20, false), move(30)])
                == [Interruption(from: nil, to: at(10)), Interruption(from: at(20), to: at(30))])
    }

    @Test func `a departure and the join behind it may be in two pages`() {
        var forward = IRCInterruptions(isForward: true)
        #expect(forward.add([move(20, false)]).isEmpty)
        #expect(forward.add([move(30)]) == [Interruption(from: at(20), to: at(30))])
        var backward = IRCInterruptions(isForward: false)
        #expect(backward.add([move(30)]) == [Interruption(from: nil, to: at(30))])
        #expect(backward.add([move(20, false)]) == [Interruption(from: at(20), to: at(30))])
    }

    @Test func `claims that grow forward leave each interruption out once`() {
        var interruptions = IRCInterruptions(isForward: true)
        _ = interruptions.add([move(30)])
        #expect(claims(&interruptions, (10, 20), (10, 40)) == ["10-20 without ", "10-40 without 30"])
        _ = interruptions.add([move(30), move(50)])
        #expect(claims(&interruptions, (10, 60), (10, 70)) == ["30-60 without 50", "50-70 without "])
    }

    @Test func `claims that grow backward end where the outermost interruption does`() {
        var interruptions = IRCInterruptions(isForward: false)
        _ = interruptions.add([move(50)])
        #expect(claims(&interruptions, (40, 90)) == ["40-90 without 50"])
        _ = interruptions.add([move(30)])
        #expect(claims(&interruptions, (20, 90), (10, 90)) == ["20-50 without 30, 50", "10-30 without 30"])
    }
}
