package import ChatModel

/// The listener's answer: one JSON object a line.
package struct ControlReply: Sendable, Hashable, Codable {
    package var accounts: [AccountStatus]?
    /// False for an account that this listener doesn't have.
    package var done: Bool?
    /// The further result of a change.
    package var outcome: StoreOutcome?
    package var answers: [UnreadAnswer]?
    /// The number of rooms whose history is requested.
    package var rooms: Int?
    /// An error for people.
    package var error: String?

    package init(rooms: Int) {
        done = true
        self.rooms = rooms
    }

    package init(answers: [UnreadAnswer]) {
        done = true
        self.answers = answers
    }

    package init(accounts: [AccountStatus]) {
        self.accounts = accounts
    }

    package init(done: Bool) {
        self.done = done
    }

    package init(outcome: StoreOutcome) {
        done = true
        self.outcome = outcome
    }

    package init(error: String) {
        self.error = error
    }
}
