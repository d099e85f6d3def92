import Listeners

/// The request to end the visit, and its urgency.
struct Departure: Sendable {
    /// Set when the visit should say goodbye and wait until that has arrived.
    let asked = Signal()
    /// Set by a signal, which ends the wait for a slow reader of our output.
    let interrupted = Signal()
    /// Set by the second request, which ends the visit at once.
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
