import Sessions

/// The request to end the session, and its urgency.
struct LeaveRequest: Sendable {
    /// Set when the session should say goodbye and wait until that has arrived.
    let isRequested = Signal()
    /// Set by a signal, which ends the wait for a slow reader of our output.
    let isInterrupted = Signal()
    /// Set by the second request, which ends the session at once.
    let isUrgent = Signal()

    func request() {
        if isRequested.isSet { isUrgent.set() }
        isRequested.set()
    }

    func interrupt() {
        isInterrupted.set()
        request()
    }
}
