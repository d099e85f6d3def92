import TestSupport
import Testing

@testable import Sessions

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IdleWatchTests {
    private let clock = ManualClock()

    @Test func `a wait over the limit is ended, and earlier waits don't count`() async throws {
        let watch = IdleWatch(limit: .seconds(60), clock: clock)
        let ended = Watched<[String]>([])
        async let watching: Void = watch.run()
        await clock.sleeper(at: .seconds(60))
        watch.begin { ended.change { $0.append("first") } }
        clock.advance(by: .seconds(50))
        watch.end()
        watch.begin { ended.change { $0.append("second") } }
        clock.advance(by: .seconds(10))
        await clock.advance(toSleeperAt: .seconds(110))
        try await watching
        #expect(watch.isLate && ended.value == ["second"])
    }

    @Test func `time between two waits doesn't count`() async throws {
        let watch = IdleWatch(limit: .seconds(60), clock: clock)
        let watching = Task { try await watch.run() }
        watch.begin {}
        watch.end()
        for end in [60, 120, 180] { await clock.advance(toSleeperAt: .seconds(end)) }
        await clock.sleeper(at: .seconds(240))
        #expect(!watch.isLate)
        watching.cancel()
        await #expect(throws: CancellationError.self) { try await watching.value }
    }
}
