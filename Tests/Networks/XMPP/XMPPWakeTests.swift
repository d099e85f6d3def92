import Sessions
import TestSupport
import Testing

@testable import XMPP

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(1))))
struct XMPPWakeTests {
    @Test func `a wait that ended by its time leaves the next one able to wait and to be woken`() async {
        let (wake, clock) = (XMPPWake(), ManualClock())
        async let first: Void = wake.wait(.seconds(1), of: clock)
        await clock.advance(toSleeperAt: .seconds(1))
        await first
        async let second: Void = wake.wait(.seconds(5), of: clock)
        await clock.sleeper(at: .seconds(6))
        wake.set()
        await second
        #expect(clock.now.offset == .seconds(1))
    }

    @Test func `a wake before the wait ends it at once`() async {
        let wake = XMPPWake()
        wake.set()
        await wake.wait(of: ManualClock())
    }
}
