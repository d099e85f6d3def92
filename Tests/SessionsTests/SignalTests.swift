import TestSupport
import Testing

@testable import Sessions

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SignalTests {
    @Test func `setting the signal releases waiting and later tasks`() async {
        let signal = Signal()
        await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { await signal.wait() } }
            signal.set()
        }
        await signal.wait()
        #expect(signal.isSet)
    }

    @Test func `a cancelled task stops waiting`() async {
        let signal = Signal()
        await withTaskGroup { group in
            group.addTask { await signal.wait() }
            group.cancelAll()
        }
        #expect(!signal.isSet)
    }

    @Test func `setting the signal cancels an operation`() async {
        let signal = Signal()
        let clock = ManualClock()
        async let wasCancelled = signal.cancelling {
            do {
                try await clock.sleep(for: .seconds(1))
                return false
            } catch {
                return true
            }
        }
        await clock.sleeper(at: .seconds(1))
        signal.set()
        #expect(await wasCancelled)
    }

    @Test func `the signal leaves an exempt operation alone until it ends`() async {
        let signal = Signal()
        let clock = ManualClock()
        async let result = signal.cancelling(unless: { true }) {
            await signal.wait()
            return (try? await clock.sleep(for: .seconds(1))) != nil
        }
        signal.set()
        await clock.advance(toSleeperAt: .seconds(1))
        #expect(await result)
    }
}
