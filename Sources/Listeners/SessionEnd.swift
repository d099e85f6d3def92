import ChatModel

/// The end of a connection, with its reason.
struct SessionEnd: Sendable, Hashable {
    var reason: EndReason
    /// The reason for people; nil if `reason` is enough.
    var detail: String?
    /// The outcome for the loop; nil for a connection that was simply lost.
    var outcome: SessionLoop.Outcome?

    /// Creates an end: `silent` for a timeout, and `lost` for every other error.
    init(_ error: ConnectionError) {
        self.init(reason: error.code == .timedOut ? .silent : .lost, detail: error.detail)
    }

    init(reason: EndReason, detail: String? = nil, outcome: SessionLoop.Outcome? = nil) {
        (self.reason, self.detail, self.outcome) = (reason, detail, outcome)
    }
}
