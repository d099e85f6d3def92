import Listeners

/// The request to end the visit, and its urgency.
struct Departure: Sendable {
    /// Set to say goodbye and wait until it has arrived.
    let asked = Signal()
    /// Set by a signal: a slow reader of our output is no longer waited for.
    let interrupted = Signal()
    /// Set by the second request: the visit ends at once.
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
