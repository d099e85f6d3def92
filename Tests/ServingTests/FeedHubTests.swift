import ChatModel
import TestSupport
import Testing

@testable import Serving

struct FeedHubTests {
    private static func change(_ seq: Int64, epoch: String = "e", kind: FeedChange.Kind = .stored) -> FeedChange {
        FeedChange(
            kind: kind, account: "demo", position: FeedPosition(epoch: epoch, seq: seq),
            subject: kind == .reset ? .account : .message(MessageID(microseconds: seq), nil))
    }

    private static func position(_ seq: Int64, epoch: String = "e") -> FeedPosition {
        FeedPosition(epoch: epoch, seq: seq)
    }

    private static func sequence(_ step: FeedHub.Step) -> [Int64]? {
        if case .events(let events) = step { events.map(\.position.seq) } else { nil }
    }

    @Test func `a follower gets the changes after its position in order`() {
        let hub = FeedHub(start: Self.position(10))
        hub.add((11...15).map { Self.change($0) })
        #expect(Self.sequence(hub.step(after: Self.position(10))) == [11, 12, 13, 14, 15])
        #expect(Self.sequence(hub.step(after: Self.position(13))) == [14, 15])
        guard case .end = hub.step(after: Self.position(15)) else { return #expect(Bool(false)) }
    }

    @Test func `a follower outside the kept changes or in another epoch must read the archive`() {
        let hub = FeedHub(start: Self.position(10))
        hub.add([Self.change(11)])
        for position in [Self.position(9), Self.position(12), Self.position(11, epoch: "f")] {
            guard case .behind = hub.step(after: position) else { return #expect(Bool(false), "\(position)") }
        }
    }

    @Test func `old changes are dropped when there are many`() {
        let hub = FeedHub(start: Self.position(0))
        for start in stride(from: Int64(1), to: 10_000, by: 100) {
            hub.add((start..<start + 100).map { Self.change($0) })
        }
        guard case .behind = hub.step(after: Self.position(1)) else { return #expect(Bool(false)) }
        #expect(Self.sequence(hub.step(after: Self.position(9_990)))?.count == 10)
    }

    @Test func `a restored archive begins with no earlier changes`() {
        let hub = FeedHub(start: Self.position(10))
        hub.add([Self.change(11)])
        hub.add([Self.change(0, epoch: "new", kind: .reset), Self.change(1, epoch: "new")])
        guard case .behind = hub.step(after: Self.position(11)) else { return #expect(Bool(false)) }
        #expect(Self.sequence(hub.step(after: Self.position(0, epoch: "new"))) == [1])
    }

    @Test func `a signal wakes every waiting follower, and closing ends the waiting`() async {
        let hub = FeedHub(start: Self.position(0))
        let (first, second) = (hub.signals(), hub.signals())
        #expect(hub.hasFollowers)
        hub.add([Self.change(1)])
        hub.end()
        var heard = 0
        for await _ in first { heard += 1 }
        for await _ in second { heard += 1 }
        #expect(heard == 2 && !hub.hasFollowers)
    }
}
