import Synchronization
import Testing

@testable import Serving

struct TurnsTests {
    private struct Failed: Error {}

    /// The number of tasks that run, the most at once, and those that ran.
    private final class Tally: Sendable {
        let counts = Mutex((running: 0, most: 0, done: 0))
    }

    @Test func `tasks run one at a time, and all run, even after failures`() async {
        let turns = Turns()
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try? await turns.run {
                        tally.counts.withLock { ($0.running, $0.most) = ($0.running + 1, max($0.most, $0.running + 1)) }
                        await Task.yield()
                        tally.counts.withLock { ($0.running, $0.done) = ($0.running - 1, $0.done + 1) }
                        if number % 3 == 0 { throw Failed() }
                    }
                }
            }
        }
        #expect(tally.counts.withLock { $0.most } == 1)
        #expect(tally.counts.withLock { $0.done } == 200)
    }
}
