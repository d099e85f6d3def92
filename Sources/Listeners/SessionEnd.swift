import ChatModel

/// The end of a connection, with its reason.
struct SessionEnd: Sendable, Hashable {
    var reason: EndReason
    /// The reason for people; nil where `reason` is enough.
    var detail: String?
    /// The outcome for the next attempt; nil where the connection was merely lost.
    var outcome: SessionLoop.Outcome?

    /// Takes silence for a timeout, and everything else for a lost connection.
    init(_ error: ConnectionError) {
        self.init(reason: error.code == .timedOut ? .silent : .lost, detail: error.detail)
    }

    init(reason: EndReason, detail: String? = nil, outcome: SessionLoop.Outcome? = nil) {
        (self.reason, self.detail, self.outcome) = (reason, detail, outcome)
    }
}
