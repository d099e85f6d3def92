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

    /// Reads a connection until the reading returns an end, or the connection ends. Returns nil if the task is cancelled
    /// before that.
    package static func reading(_ read: () async throws(ConnectionError) -> SessionEnd?) async -> SessionEnd? {
        do {
            let end = try await read()
            guard end == nil, !Task.isCancelled else { return end }
            return SessionEnd(reason: .closed, detail: "the server closed the connection")
        } catch {
            return Task.isCancelled ? nil : SessionEnd(error)
        }
    }

    /// Returns the event that ends a session.
    ///
    /// - Parameter time: The last sign of life.
    package func event(of session: SessionID, at time: Timestamp) -> ChatEvent {
        .sessionEnded(session: session, at: time, reason: reason, detail: detail)
    }

    package init(reason: EndReason, detail: String? = nil, outcome: SessionLoop.Outcome? = nil) {
        (self.reason, self.detail, self.outcome) = (reason, detail, outcome)
    }
}
