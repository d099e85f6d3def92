import ChatModel
import Listeners
import Logging

/// The keys of an account of one network, from which its listener is created.
///
/// `docs/adding-a-network.md` lists the parts of a network.
protocol NetworkSettings: ComparedSettings, Hashable {
    /// The value of `network` in the configuration.
    static var network: String { get }
    static var capabilities: NetworkCapabilities { get }
    /// The largest number of sockets and files that one account has open at once.
    static var socketCount: Int { get }
    /// The configuration that `scrollback init` prints. It is valid once its blanks are filled.
    static var template: String { get }
    /// The questions that `scrollback init` asks on a terminal, after the one for the name.
    static var questions: [SetupQuestion] { get }

    /// Reads the account's table. Reports every problem to `table`, and uses the default for a wrong setting.
    init(_ table: inout TableReader)

    /// Valid settings that are probably mistakes, for people.
    var warnings: [String] { get }

    /// - Precondition: The settings were read without problems.
    func makeListener(_ account: ListenedAccount) -> any Listener
    /// Returns the configuration for a running listener after a change of live keys; nil if it has none.
    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)?
    /// Asks the network for its own counts of unread messages, without a listener.
    func unread(_ questions: [UnreadQuestion], folder: String, logger: Logger) async throws -> [UnreadAnswer]

    /// The largest file to fetch, in bytes; nil on a network without files.
    var fileSizeLimit: Int64? { get }
    /// Runs `body` with a client that fetches files, without a listener; only with ``NetworkCapabilities/files``.
    func withFileClient(
        folder: String, logger: Logger, _ body: (any FileClient) async throws -> Void
    ) async throws
}

extension NetworkSettings {
    static var capabilities: NetworkCapabilities { [] }

    var warnings: [String] { [] }

    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)? { nil }

    func unread(_ questions: [UnreadQuestion], folder: String, logger: Logger) async throws -> [UnreadAnswer] { [] }

    var fileSizeLimit: Int64? { nil }

    func withFileClient(
        folder: String, logger: Logger, _ body: (any FileClient) async throws -> Void
    ) async throws {}

    func isSame(as other: any NetworkSettings) -> Bool {
        other as? Self == self
    }

    func changedKeys(toAny new: any NetworkSettings) -> ChangedKeys {
        (new as? Self).map { changedKeys(to: $0) } ?? ChangedKeys(fixed: ["network"])
    }
}

/// The services of a network other than messages.
package struct NetworkCapabilities: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Messages have files, which can be fetched later.
    package static let files = NetworkCapabilities(rawValue: 1)
    /// The network counts unread messages itself.
    package static let unread = NetworkCapabilities(rawValue: 2)
}

/// The objects that an account's listener uses, besides its settings.
struct ListenedAccount {
    /// The account's folder, for files that its listener keeps between runs.
    let folder: String
    /// The store of files.
    let attachments: any AttachmentStore
    /// The count of received bytes; nil to count none.
    let traffic: Traffic?
    let tools: ListenerTools
}
