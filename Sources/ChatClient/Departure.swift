import Listeners

/// That the visit is to end, and how soon.
struct Departure: Sendable {
    /// Say goodbye, and see it arrive.
    let asked = Signal()
    /// By a signal: nobody waits any more for a slow reader of our output.
    let interrupted = Signal()
    /// Asked twice: at once.
    let hurried = Signal()

    func ask() {
        if asked.isSet { hurried.set() }
        asked.set()
    }

    func interrupt() {
        interrupted.set()
        ask()
    }
}
