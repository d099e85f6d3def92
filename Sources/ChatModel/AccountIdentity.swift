/// An account: one identity on one network, kept in one database file.
package struct AccountIdentity: Sendable, Hashable {
    /// The account's name in the configuration, unique in a data folder.
    package var name: String
    /// The kind of network, such as `streamchat` or `irc`.
    package var network: String

    package init(name: String, network: String) {
        self.name = name
        self.network = network
    }

    /// The network of accounts that an import created. No listener has it.
    package static let importedNetwork = "log"
}
