package import Networks

/// The keys of an account of one network. `ListenedSettings` in `Sessions` makes its listener from them.
///
/// `docs/adding-a-network.md` lists the parts of a network.
package protocol NetworkSettings: ComparedSettings, Hashable {
    static var traits: NetworkTraits { get }
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

    /// The largest file to fetch, in bytes; nil on a network without files.
    var fileSizeLimit: Int64? { get }
}

extension NetworkSettings {
    /// The value of `network` in the configuration.
    package static var network: String { traits.network }

    package static var capabilities: NetworkCapabilities { [] }

    package var warnings: [String] { [] }

    package var fileSizeLimit: Int64? { nil }

    package func isSame(as other: any NetworkSettings) -> Bool {
        other as? Self == self
    }

    package func changedKeys(toAny new: any NetworkSettings) -> ChangedKeys {
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
