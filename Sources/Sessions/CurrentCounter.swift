package import ChatModel
import Synchronization

/// Asks the network for its counts of unread messages, with the client of the running attempt.
package final class CurrentCounter: UnreadCounter {
    /// The client; nil between two attempts.
    private let client = Mutex<(any UnreadCounter)?>(nil)

    package init() {}

    /// Answers with this client from now on.
    package func use(_ client: any UnreadCounter) {
        self.client.withLock { $0 = client }
    }

    /// Answers with an error until the next ``use(_:)``.
    package func clear() {
        client.withLock { $0 = nil }
    }

    package func answers(to questions: [UnreadQuestion]) async -> [UnreadAnswer] {
        guard let client = client.withLock(\.self) else {
            let error = "the listener is not connected: see \"scrollback status\""
            return questions.map { UnreadAnswer(room: $0.room, error: error) }
        }
        return await client.answers(to: questions)
    }
}
