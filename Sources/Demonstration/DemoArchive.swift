import Archive
import ChatModel
import Files
import Logging
import Reading
import Rendering
import Service
import ServiceLifecycle
import Sessions
import Settings
import StreamChat

/// The archive of the demonstration: its listener and its contents.
struct DemoArchive {
    let configuration: Configuration
    let folder: String

    private var archive: Archive { Archive(folder: folder) }

    init(_ configuration: Configuration) {
        self.configuration = configuration
        folder = configuration.dataFolder ?? ""
    }

    /// Runs the work of `scrollback listen`, connected, while `body` runs.
    func withListener(_ body: () async throws -> Void) async throws {
        try DataFolderAccess.create(folder)
        let lock = try DataFolderLock(folder: folder)
        let opening = ListenerOpening(archive: archive, acknowledgements: nil, logger: Logger(label: "listener"))
        let listening = try await opening.open(
            configuration, registry: StatusRegistry(accounts: configuration.accounts.map(\.identity)))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await listening.run() }
            defer { tasks.cancelAll() }
            try await wait(for: "the listener to connect") {
                try await ControlClient(folder: folder).status()?.allSatisfy {
                    $0.state == .connected || $0.lastError == StreamChatListener.unanswered
                } ?? false
            }
            try await body()
            await listening.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        withExtendedLifetime(lock) {}
    }

    /// Returns when `count` messages are stored.
    func wait(forMessages count: Int) async throws {
        try await wait(for: "\(count) messages to be stored") { try await messages().count >= count }
    }

    /// Returns all stored texts of people.
    func messages() async throws -> [DemoScript.Message] {
        let (reading, query) = (archive.reading(), try query(limit: MessageQuery.limits.upperBound))
        return try await onThread {
            guard try !reading.accounts().isEmpty else { return [] }
            return try reading.page(query).messages
                .filter { $0.kind == .message }
                .map { DemoScript.Message(name: $0.sender?.name ?? "", text: $0.body ?? "") }
        }
    }

    /// Returns the first message of the newest page, which is the cursor of the page before it; nil if there is none.
    func older(thanNewest limit: Int) async throws -> MessageID? {
        let (reading, query) = (archive.reading(), try query(limit: limit))
        return try await onThread { try reading.page(query).older }
    }

    private func query(limit: Int) throws -> MessageQuery {
        try MessageQuery(scope: .accounts(configuration.accounts.map(\.identity.name)), limit: limit)
    }

    private func wait(for what: String, _ isMet: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !isMet() {
            guard ContinuousClock.now < deadline else {
                throw DemoError(.demo, "waited 20 s for \(what)", hint: "is the machine very busy? try again")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
