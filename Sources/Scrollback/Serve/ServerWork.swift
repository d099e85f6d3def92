package import Accounts
package import Archive
package import ChatModel
package import Rendering
package import Settings
package import StreamChatWire

/// The work of commands that needs libraries for networks (NIO, TLS, HTTP). `scrollback` contains none of them:
/// ``ServerProgram/work()`` replaces it with `scrollback-server`, whose target `ServerCommands` does this work.
///
/// So `scrollback` is smaller, every command starts faster, and a fault in such a library concerns only the commands
/// that need it: those that connect to servers (`listen`, `chat`, `attachments --fetch`, `unread --remote`), those that
/// are servers or run one (`serve`, `room-server`, `demo`), and those that check certificates (`config check`,
/// `config edit`). Other commands need none of them: PostgreSQL's library is loaded on use, requests to a listener go
/// over a plain socket (``LocalConnection``), and a configuration is read without TLS (``Configuration/init(_:home:)``).
package protocol ServerWork: Sendable {
    /// Runs `listen` until a signal.
    func listen(_ options: ListenWork) async throws

    /// Runs `serve` until a signal.
    func serve(_ options: ServeWork) async throws

    /// Runs `chat` until the person or the script leaves.
    ///
    /// - Throws: ``CommandError`` if there is no connection.
    func chat(_ configuration: ChatConfiguration) async throws

    /// Runs `room-server` until a signal.
    ///
    /// - Parameter port: 0 to 65535; 0 for a free one.
    func serveRoom(host: String, port: Int, framing: Framing, revision: Revision) async throws

    /// Runs `demo`.
    ///
    /// - Parameters:
    ///   - keepsRunning: True to go on until a signal, with the archive in a browser.
    ///   - run: Runs a command with these arguments.
    func demonstrate(keepsRunning: Bool, run: @escaping @Sendable ([String]) async throws -> Void) async throws

    /// Runs `attachments --fetch`, and reports the result of each account on stderr.
    ///
    /// - Returns: True if all files were fetched.
    func fetchFiles(_ options: FileWork) async throws -> Bool

    /// Runs `unread --remote`: compares our counts with those of the networks.
    ///
    /// - Parameter progress: Receives the number of rooms that are still to be asked about.
    func compare(
        _ rooms: [UnreadRoom], in archive: Archive, search: FolderSearch, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> [ComparedUnread]

    /// Checks a configuration file for `config check` and `config edit`, with its certificates.
    ///
    /// - Throws: ``ConfigurationError`` with all problems.
    func check(_ file: ConfigurationFile, home: String) throws(ConfigurationError) -> Configuration

    /// Returns valid settings that are probably mistakes, with those of certificates, for people.
    func warnings(of configuration: Configuration) -> [String]

    /// Tries an account for `config check --connect`: connects and logs in, without joining a room.
    ///
    /// - Returns: The findings in order; nil for a network that can't.
    func tryConnecting(_ account: AccountConfiguration) async -> [ConnectionFinding]?
}

/// The options of `listen`.
package struct ListenWork: Sendable {
    /// Finds the configuration and the data folder.
    package let search: FolderSearch
    /// The descriptor for the ids of stored messages; nil for none.
    package let acknowledgements: Int32?
    /// The address for metrics; nil for none.
    package let metrics: MetricsAddress?
    /// The limiter of the log; nil if all messages are written.
    package let limiter: LogLimiter?
}

/// The options of `serve`.
package struct ServeWork: Sendable {
    package let settings: ServeSettings
    /// The data folder, which exists.
    package let folder: String
    /// The shared archive to serve in place of the data folder's accounts; nil for those.
    package let shared: SharedAddress?
    /// The limit of account files that are open at once.
    package let openConnections: Int
    /// Finds the accounts of the configuration.
    package let search: FolderSearch
    /// The rooms that assistants do not see.
    package let excluded: [RoomPattern]
    /// True to take a free port where the one of the settings is in use.
    package let takesFreePort: Bool
    /// The limiter of the log; nil if all messages are written.
    package let limiter: LogLimiter?
}

/// The options of `attachments --fetch`.
package struct FileWork: Sendable {
    package let archive: Archive
    /// Finds the configuration, which has the logins.
    package let search: FolderSearch
    /// The rooms or accounts whose files to fetch.
    package let scope: MessageQuery.Scope
    /// The message after which files are fetched, excluded; nil for no limit.
    package let after: MessageID?
    /// The message before which files are fetched, excluded; nil for no limit.
    package let before: MessageID?
}
