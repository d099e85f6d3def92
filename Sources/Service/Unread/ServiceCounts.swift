package import Archive
package import ChatModel
import Files
import Logging
import Reading
package import Rendering
import Sessions
package import Settings

/// Asks networks for their counts of unread messages: through the running listener, with its login and rate limit, or
/// directly.
package struct ServiceCounts: Sendable {
    package let archive: Archive
    /// Returns the configuration, for accounts without a listener.
    package let configuration: @Sendable () throws -> Configuration?
    /// Receives the number of rooms that are still to be asked about; 0 at the end of an account.
    package var progress: @Sendable (_ left: Int) -> Void = { _ in }

    package init(
        archive: Archive, configuration: @escaping @Sendable () throws -> Configuration?,
        progress: @escaping @Sendable (_ left: Int) -> Void = { _ in }
    ) {
        (self.archive, self.configuration, self.progress) = (archive, configuration, progress)
    }

    /// The rooms in one request to the listener, so that people see progress.
    private static let batch = 20

    /// Returns the network's count for each room. The rooms of an account must follow each other. A count that fails
    /// has an error.
    package func compare(_ rooms: [UnreadRoom]) async throws -> [ComparedUnread] {
        let networks = Dictionary(
            try await onThread(archive.reading().accounts).map { ($0.name, $0.network) },
            uniquingKeysWith: { first, _ in first })
        var compared: [ComparedUnread] = []
        let accounts = rooms.map(\.account).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        for name in accounts {
            let own = rooms.filter { $0.account == name }
            let answers = try await answers(name, network: networks[name] ?? "", rooms: Set(own.map(\.roomID)))
            compared += own.map { room in ComparedUnread(room: room, answer: answers[room.roomID]) }
        }
        return compared
    }

    private func answers(_ account: String, network: String, rooms: Set<Int64>) async throws -> [Int64: UnreadAnswer] {
        guard KnownNetworks.capabilities(network: network).contains(.unread) else {
            return rooms.reduce(into: [:]) { answers, room in
                answers[room] = UnreadAnswer(
                    room: room, error: "the network \(network) has no count of unread messages")
            }
        }
        let questions = try await onThread { [archive] in
            try archive.reading().unreadQuestions(account: account).filter { rooms.contains($0.room) }
        }
        var answers: [UnreadAnswer] = []
        while answers.count < questions.count {
            progress(questions.count - answers.count)
            let batch = Array(questions[answers.count...].prefix(Self.batch))
            let answered = try await ControlClient(folder: archive.folder).unread(account: account, batch)
            guard let answered, answered.count == batch.count else {
                answers += await askDirectly(Array(questions[answers.count...]), account)
                break
            }
            answers += answered
        }
        progress(0)
        return Dictionary(answers.map { ($0.room, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Asks the network without a listener.
    private func askDirectly(_ questions: [UnreadQuestion], _ account: String) async -> [UnreadAnswer] {
        do {
            let configured = try configuration()?.accounts.first { $0.identity.name == account }
            let folder = try await onThread(archive.reading().accountSummaries).first { $0.account == account }?.folder
            guard let settings = configured?.network, let folder else {
                let error = "no listener runs for this account, and the configuration does not have it"
                return questions.map { UnreadAnswer(room: $0.room, error: error) }
            }
            let logger = Logger(label: "network") { _ in SwiftLogNoOpLogHandler() }
            return try await settings.listened.unread(questions, folder: folder, logger: logger)
        } catch {
            let detail = FailureText.sentence(for: error) ?? "\(error)"
            return questions.map { UnreadAnswer(room: $0.room, error: detail) }
        }
    }
}
