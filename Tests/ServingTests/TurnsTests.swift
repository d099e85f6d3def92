import Synchronization
import Testing

@testable import Serving

struct TurnsTests {
    private struct Failed: Error {}

    @Test func `one task runs at a time, and all run, also after failures`() async {
        let turns = Turns()
        let state = Mutex((running: 0, most: 0, done: 0))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try? await turns.run {
                        state.withLock { ($0.running, $0.most) = ($0.running + 1, max($0.most, $0.running + 1)) }
                        await Task.yield()
                        state.withLock { ($0.running, $0.done) = ($0.running - 1, $0.done + 1) }
                        if number % 3 == 0 { throw Failed() }
                    }
                }
            }
        }
        #expect(state.withLock { $0.most } == 1)
        #expect(state.withLock { $0.done } == 200)
    }
}
