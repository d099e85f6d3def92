import TestSupport
import Testing

@testable import Sessions

struct BackoffTests {
    private let limits = Backoff.Limits(first: .seconds(1), longest: .seconds(60))

    @Test func `the bound doubles from the first to the longest wait and stays there`() {
        var backoff = Backoff(limits: limits)
        var random = Highest()
        let waits = (0..<8).map { _ in backoff.next(afterUptime: nil, using: &random) }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map(Duration.seconds))
        #expect(backoff.failures == 8)
    }

    @Test func `jitter can reduce the wait to zero`() {
        var backoff = Backoff(limits: limits)
        var random = Lowest()
        #expect(backoff.next(afterUptime: nil, using: &random) == .zero)
    }

    @Test func `every wait is within its bound`() {
        var backoff = Backoff(limits: limits)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let wait = backoff.next(afterUptime: .seconds(1), using: &random)
            #expect(wait >= .zero && wait <= backoff.bound && backoff.bound <= limits.longest)
        }
    }

    @Test func `a stable connection resets the failures, and a short one does not`() {
        var backoff = Backoff(limits: limits)
        var random = Highest()
        for _ in 0..<4 { _ = backoff.next(afterUptime: nil, using: &random) }
        #expect(backoff.next(afterUptime: .seconds(59), using: &random) == .seconds(16))
        #expect(backoff.next(afterUptime: .seconds(60), using: &random) == .seconds(1))
        #expect(backoff.failures == 0)
        #expect(backoff.next(afterUptime: nil, using: &random) == .seconds(1))
        #expect(backoff.next(afterUptime: nil, using: &random) == .seconds(2))
    }
}
