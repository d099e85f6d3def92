package import Archive
package import ChatModel
package import Rendering
package import Scrollback
import Service
import Sessions
package import Settings

/// The work of commands in `scrollback-server`.
package struct ServerCommandWork: ServerWork {
    package init() {}

    package func fetchFiles(_ options: FileWork) async throws -> Bool {
        try await AttachmentFetching(options).run()
    }

    package func compare(
        _ rooms: [UnreadRoom], in archive: Archive, search: FolderSearch, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> [ComparedUnread] {
        try await ServiceCounts(
            archive: archive, configuration: { try search.checkedConfiguration() }, progress: progress
        ).compare(rooms)
    }

    package func check(_ file: ConfigurationFile, home: String) throws(ConfigurationError) -> Configuration {
        try Configuration(checked: file, home: home)
    }

    package func warnings(of configuration: Configuration) -> [String] { configuration.allWarnings }

    package func tryConnecting(_ account: AccountConfiguration) async -> [ConnectionFinding]? {
        await account.network.listened.tryConnecting()
    }
}
