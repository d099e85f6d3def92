import SLP
import Sessions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPPaceTests {
    private let clock = ManualClock()

    private func pace(recovery: Int = 2) -> SLPPace {
        var limits = SLPPace.Limits()
        (limits.shortest, limits.slowed, limits.longest) = (.milliseconds(100), .seconds(1), .seconds(3))
        limits.recovery = recovery
        return SLPPace(limits: limits, clock: clock)
    }

    @Test func `calls are made one by one, each after its interval`() async throws {
        let pace = pace()
        try await pace.turn()
        async let second = pace.turn()
        await clock.advance(toSleeperAt: .milliseconds(100))
        _ = try await second
        async let third = pace.turn()
        await clock.sleeper(at: .milliseconds(200))
        clock.advance(by: .milliseconds(100))
        _ = try await third
    }

    @Test func `throttling slows down calls that already wait`() async throws {
        let pace = pace()
        let turn = try await pace.turn()
        async let waiting = pace.turn()
        await clock.sleeper(at: .milliseconds(100))
        pace.slowDown(turn)
        #expect(pace.interval == .seconds(1))
        await clock.advance(toSleeperAt: .milliseconds(100))
        await clock.advance(toSleeperAt: .seconds(1))
        _ = try await waiting
    }

    @Test func `each throttled call slows down further, up to a limit`() async throws {
        let pace = pace()
        for expected in [1, 2, 3, 3] {
            pace.slowDown(try await pace.turn())
            #expect(pace.interval == .seconds(expected))
            clock.advance(by: .seconds(expected))
        }
    }

    @Test func `calls that are throttled together slow down once`() async throws {
        let pace = pace()
        var turns: [SLPPace.Turn] = []
        for _ in 0..<5 {
            turns.append(try await pace.turn())
            clock.advance(by: .milliseconds(100))
        }
        for turn in turns { pace.slowDown(turn) }
        #expect(pace.interval == .seconds(1))
    }

    @Test func `consecutive good answers speed calls up`() async throws {
        let pace = pace()
        for _ in 0..<2 {
            pace.slowDown(try await pace.turn())
            clock.advance(by: .seconds(2))
        }
        for expected in [Duration.seconds(2), .seconds(1), .seconds(1), .milliseconds(100), .milliseconds(100)] {
            pace.succeeded()
            #expect(pace.interval == expected)
        }
    }

    @Test func `a waiting call can be cancelled`() async throws {
        let pace = pace()
        try await pace.turn()
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await pace.turn() }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.waitForAll() }
        }
    }
}
