import Bytes
import Testing

@testable import IRCWire

struct SendingTests {
    private let second: Int64 = 1_000_000

    private func pacing(_ count: Int) -> SendPacing {
        var pacing = SendPacing()
        for index in 0..<count {
            let isTaken = pacing.enqueue([UInt8(truncatingIfNeeded: index)])
            #expect(isTaken)
        }
        return pacing
    }

    @Test(arguments: [0, -5_000_000, 1_000_000_000_000_000 as Int64])
    func `five lines are sent at once, then one every two seconds`(begin: Int64) {
        var pacing = pacing(8)
        #expect(pacing.lines(at: begin).map(\.[0]) == [0, 1, 2, 3, 4])
        #expect(pacing.deadline == begin + 2 * second)
        #expect(pacing.lines(at: begin + 2 * second - 1) == [])
        #expect(pacing.lines(at: begin + 2 * second) == [[5]])
        #expect(pacing.lines(at: begin + 7 * second) == [[6], [7]])
        #expect(pacing.isEmpty && pacing.deadline == nil)
    }

    @Test func `a server without pacing gets all lines at once`() {
        var pacing = pacing(30)
        #expect(pacing.lines(at: 0).count == 5)
        pacing.isUnlimited = true
        #expect(pacing.lines(at: 0).count == 25 && pacing.hasTurn(at: 0))
    }

    @Test func `after a rest, five lines are sent at once again, and no more`() {
        var pacing = pacing(30)
        #expect(pacing.lines(at: 0).count == 5)
        #expect(pacing.lines(at: 4 * second).count == 2)
        #expect(pacing.lines(at: 100 * second).count == 5)
    }

    @Test func `lines never exceed the rate plus five`() {
        var (pacing, sent) = (pacing(1000), 0)
        for time in stride(from: 0, to: 300 * second, by: 700_000) {
            sent += pacing.lines(at: time).count
            #expect(sent <= 5 + Int(time / (2 * second)))
        }
        #expect(sent >= 150)
    }

    @Test func `the queue of waiting lines is limited`() {
        var pacing = pacing(SendPacing.maximumWaiting)
        var isTaken = pacing.enqueue([0])
        #expect(!isTaken)
        #expect(pacing.lines(at: 0).count == 5)
        isTaken = pacing.enqueue([0])
        #expect(isTaken)
    }

    @Test func `rooms are joined in few lines within the limits, those with keys first`() {
        let channels = [JoinLines.Channel(Array("#a")), .init(Array("#b"), key: Array("k")), .init(Array("#가"))]
        #expect(JoinLines(channels, support: ISupport()).lines.map(\.line) == ["JOIN #b,#a,#가 k"])
        let many = (0..<200).map { JoinLines.Channel(Array("#channel-\($0)")) }
        let lines = JoinLines(many, support: ISupport()).lines
        #expect(lines.allSatisfy { $0.line.utf8.count <= 510 } && lines.count == 6)
        #expect(lines.flatMap { $0.param(0).split(separator: Byte.comma).map { Array($0) } } == many.map(\.name))
    }

    @Test func `a server with few targets gets few rooms per line`() {
        var support = ISupport()
        _ = support.receive(IRCMessage("005 me TARGMAX=JOIN:2,KICK:1 :are"))
        let lines = JoinLines(["#a", "#b", "#c"].map { .init(Array($0)) }, support: support).lines
        #expect(lines.map(\.line) == ["JOIN #a,#b", "JOIN #c"])
    }

    @Test(arguments: [
        ("TARGMAX=JOIN:,KICK:1", nil), ("TARGMAX=JOIN:4 MAXTARGETS=20", 4), ("MAXTARGETS=20", 20), ("TARGMAX=", nil),
        ("X", nil),
    ])
    func `TARGMAX or MAXTARGETS limits the rooms of a JOIN`(tokens: String, targets: Int?) {
        var support = ISupport()
        _ = support.receive(IRCMessage("005 me \(tokens) :are"))
        #expect(support.joinTargets == targets)
    }

    @Test(arguments: ["", "a", "#a b", "#a,#b", "#a\n", "#a\u{7}", ":#a"])
    func `an invalid channel is not joined`(name: String) {
        let joins = JoinLines([.init(Array(name)), .init(Array("#ok"))], support: ISupport())
        #expect(joins.lines.map(\.line) == ["JOIN #ok"] && joins.refused == [.init(Array(name))])
    }

    @Test func `a channel that fills a line is alone in it, and a longer one is refused`() {
        let full = JoinLines.Channel(Array("#" + String(repeating: "x", count: 503)))
        let joins = JoinLines([.init(Array("#a")), full, .init(full.name + [0x78])], support: ISupport())
        #expect(joins.lines.map(\.params[0].count) == [2, 504] && joins.refused.count == 1)
    }
}
