import ChatModel

/// What a command asks the listener: one JSON object a line.
struct ControlRequest: Sendable, Hashable, Codable {
    var command: String

    static let status = ControlRequest(command: "status")

    /// More than any request takes; a peer that sends more without a line's end is let go.
    static let maximumSize = 64 * 1024
}

/// What the listener answers: one JSON object a line.
struct ControlReply: Sendable, Hashable, Codable {
    var accounts: [AccountStatus]?
    /// For people.
    var error: String?

    init(accounts: [AccountStatus]) {
        self.accounts = accounts
    }

    init(error: String) {
        self.error = error
    }
}
