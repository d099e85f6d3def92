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

    @Test func `calls are made one by one, each after its time`() async throws {
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

    @Test func `too many calls make it slower, for those who already wait too`() async throws {
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

    @Test func `each call that was still too many makes it slower, up to a limit`() async throws {
        let pace = pace()
        for expected in [1, 2, 3, 3] {
            pace.slowDown(try await pace.turn())
            #expect(pace.interval == .seconds(expected))
            clock.advance(by: .seconds(expected))
        }
    }

    @Test func `calls that were refused together slow it down once`() async throws {
        let pace = pace()
        var turns: [SLPPace.Turn] = []
        for _ in 0..<5 {
            turns.append(try await pace.turn())
            clock.advance(by: .milliseconds(100))
        }
        for turn in turns { pace.slowDown(turn) }
        #expect(pace.interval == .seconds(1))
    }

    @Test func `good answers in a row make it faster`() async throws {
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

    @Test func `who waits may give up`() async throws {
        let pace = pace()
        try await pace.turn()
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await pace.turn() }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.waitForAll() }
        }
    }
}
