import ChatModel

/// How a connection ended.
struct SessionEnd: Sendable, Hashable {
    var reason: EndReason
    /// For people; nil where the reason says it all.
    var detail: String?
    /// What it means for the next attempt, where that is more than that there is no connection any more.
    var outcome: SessionLoop.Outcome?

    /// The peer said goodbye, or vanished, or something between.
    init(_ error: ConnectionError) {
        self.init(reason: error.code == .timedOut ? .silent : .lost, detail: error.detail)
    }

    init(reason: EndReason, detail: String? = nil, outcome: SessionLoop.Outcome? = nil) {
        self.reason = reason
        self.detail = detail
        self.outcome = outcome
    }
}
