import Testing

@testable import Serving

/// Requests that come to a queue, and the numbers of their fates.
private struct Arrivals {
    struct Fates: Equatable {
        var running: Int
        var waiting: Int
        var refused: Int
    }

    var queue = FairQueue()
    private var count = 0

    mutating func come(_ number: Int, _ share: Share) -> Fates {
        var fates = Fates(running: 0, waiting: 0, refused: 0)
        for _ in 0..<number {
            count += 1
            switch queue.enter(FairQueue.Request(number: count, share: share)) {
            case .runs: fates.running += 1
            case .waits: fates.waiting += 1
            case .refused: fates.refused += 1
            }
        }
        return fates
    }

    /// Ends a request of a sender. Returns the sender of the request that runs in its place.
    mutating func finish(_ share: Share) -> [Share] { queue.finish(share).map(\.share) }
}

struct FairQueueTests {
    private static let bad = Share.token("bad")
    private static let good = Share.token("good")

    @Test func `a token has at most half of the places, and its other requests wait or are refused`() {
        var arrivals = Arrivals()
        let (bad, good, owner) = (arrivals.come(200, Self.bad), arrivals.come(1, Self.good), arrivals.come(3, .owner))
        #expect(bad == Arrivals.Fates(running: 4, waiting: 128, refused: 68))
        #expect(good.running == 1 && owner.running == 3)
    }

    @Test func `the owner finds a place, whatever the tokens do`() {
        var arrivals = Arrivals()
        for name in ["a", "b", "c", "d"] { _ = arrivals.come(200, .token(name)) }
        let (first, rest) = (arrivals.come(2, .owner), arrivals.come(200, .owner))
        #expect(first.running == 2 && rest == Arrivals.Fates(running: 0, waiting: 128, refused: 72))
    }

    @Test func `senders get places in turn, however many requests wait`() {
        var arrivals = Arrivals()
        _ = arrivals.come(100, Self.bad)
        _ = arrivals.come(4, .owner)
        let good = arrivals.come(2, Self.good)
        #expect(good.waiting == 2)
        let turns = [Self.bad, .owner, Self.bad, Self.good].map { arrivals.finish($0) }
        #expect(turns == [[Self.bad], [Self.good], [Self.bad], [Self.good]])
    }

    @Test func `a cancelled request does not run later`() {
        var arrivals = Arrivals()
        _ = arrivals.come(4, Self.bad)
        let request = FairQueue.Request(number: 5, share: Self.bad)
        let (entry, leaves, leavesAgain) = (
            arrivals.queue.enter(request), arrivals.queue.leave(request), arrivals.queue.leave(request)
        )
        #expect(entry == .waits && leaves && !leavesAgain)
        let started = arrivals.finish(Self.bad)
        #expect(started.isEmpty)
    }
}
