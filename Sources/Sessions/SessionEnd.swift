package import ChatModel

/// The end of a connection, with its reason.
package struct SessionEnd: Sendable, Hashable {
    package var reason: EndReason
    /// The reason for people; nil if `reason` is enough.
    package var detail: String?
    /// The outcome for the loop; nil for a connection that was simply lost.
    package var outcome: SessionLoop.Outcome?

    /// Creates an end: `silent` for a timeout, and `lost` for every other error.
    package init(_ error: ConnectionError) {
        self.init(reason: error.code == .timedOut ? .silent : .lost, detail: error.detail)
    }

    package init(reason: EndReason, detail: String? = nil, outcome: SessionLoop.Outcome? = nil) {
        (self.reason, self.detail, self.outcome) = (reason, detail, outcome)
    }
}
