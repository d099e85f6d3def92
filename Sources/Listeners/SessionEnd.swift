import ChatModel

/// How a connection ended.
struct SessionEnd: Sendable, Hashable {
    var reason: EndReason
    /// For people; nil where the reason says it all.
    var detail: String?

    /// The peer said goodbye, or vanished, or something between.
    init(_ error: ConnectionError) {
        self.init(reason: error.code == .timedOut ? .silent : .lost, detail: error.detail)
    }

    init(reason: EndReason, detail: String? = nil) {
        self.reason = reason
        self.detail = detail
    }
}
