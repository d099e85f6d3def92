package import ChatModel
import MatrixWire
import Sessions

extension MatrixClient: UnreadCounter {
    /// Returns the homeserver's counts of unread messages, since the last one that the account has read in any client.
    package func answers(to questions: [UnreadQuestion]) async -> [UnreadAnswer] {
        var answers: [UnreadAnswer] = []
        while answers.count < questions.count {
            answers += await answersAtOnce(to: Array(questions[answers.count...].prefix(Self.atOnce)))
        }
        return answers
    }

    /// The rooms of one call. Their ids are in its address, which some web servers limit to 8 KiB.
    private static let atOnce = 50

    private func answersAtOnce(to questions: [UnreadQuestion]) async -> [UnreadAnswer] {
        var counts: [String: Int] = [:]
        do {
            let filter = try MatrixFilter(countsOf: questions.map(\.key))
            try await sync(since: nil, wait: .zero, filter: filter) { item in
                if case .room(let room) = item, room.section == .join { counts[room.id] = room.unread }
            }
        } catch {
            return questions.map { UnreadAnswer(room: $0.room, error: "\(error)") }
        }
        return questions.map { question in
            counts[question.key].map { UnreadAnswer(room: question.room, count: $0) }
                ?? UnreadAnswer(room: question.room, error: "the homeserver has no count of this room")
        }
    }
}
