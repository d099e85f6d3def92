import TestSupport
import Testing

@testable import SLP
@testable import Sessions

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SilenceWatchTests {
    private let clock = ManualClock()

    @Test func `silence is measured from the last sign of life`() async {
        let watch = SilenceWatch(clock: clock)
        async let silence: Void = watch.waitForSilence(of: .seconds(45))
        await clock.sleeper(at: .seconds(45))
        clock.advance(by: .seconds(30))
        watch.resume()
        await clock.advance(toSleeperAt: .seconds(45))
        await clock.advance(toSleeperAt: .seconds(75))
        await silence
        #expect(clock.now.offset == .seconds(75))
    }

    @Test func `a paused watch measures no silence`() async {
        let watch = SilenceWatch(clock: clock)
        watch.pause()
        async let silence: Void = watch.waitForSilence(of: .seconds(45))
        await clock.advance(toSleeperAt: .seconds(45))
        await clock.sleeper(at: .seconds(90))
        watch.resume()
        await clock.advance(toSleeperAt: .seconds(90))
        await silence
        #expect(clock.now.offset == .seconds(90))
    }
}
