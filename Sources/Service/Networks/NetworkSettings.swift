import ChatModel
import Listeners
import Logging

/// The keys of an account of one network, and how to listen by them.
///
/// `docs/adding-a-network.md` says what a network consists of.
protocol NetworkSettings: ComparedSettings, Hashable {
    /// The value of `network` in the configuration.
    static var network: String { get }
    static var capabilities: NetworkCapabilities { get }
    /// The sockets and files that one account has open at once, at most.
    static var socketCount: Int { get }
    /// The configuration that `scrollback init` prints: valid once its blanks are filled.
    static var template: String { get }

    /// Reads the account's table. Leaves every problem with `table`; what is wrong has its default here.
    init(_ table: inout TableReader)

    /// - Precondition: The settings were read without problems.
    func makeListener(_ account: ListenedAccount) -> any Listener
    /// Returns what a running listener is given when live keys have changed; nil if it has none.
    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)?
    /// Asks the network for its own counts of unread messages, without a listener.
    func unread(_ questions: [UnreadQuestion], folder: String, logger: Logger) async throws -> [UnreadAnswer]
}

extension NetworkSettings {
    static var capabilities: NetworkCapabilities { [] }

    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)? { nil }

    func unread(_ questions: [UnreadQuestion], folder: String, logger: Logger) async throws -> [UnreadAnswer] { [] }

    func isSame(as other: any NetworkSettings) -> Bool {
        other as? Self == self
    }

    func changedKeys(toAny new: any NetworkSettings) -> ChangedKeys {
        (new as? Self).map { changedKeys(to: $0) } ?? ChangedKeys(fixed: ["network"])
    }
}

/// The services of a network beside its messages.
package struct NetworkCapabilities: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Messages come with files, which can be fetched later.
    package static let files = NetworkCapabilities(rawValue: 1)
    /// The network counts unread messages itself.
    package static let unread = NetworkCapabilities(rawValue: 2)
}

/// The surroundings of an account's listener, beside its settings.
struct ListenedAccount {
    /// The account's folder, for what its listener keeps from one run to the next.
    let folder: String
    /// Stores files.
    let attachments: any AttachmentStore
    /// Counts what is received.
    let traffic: Traffic?
    let tools: ListenerTools
}
