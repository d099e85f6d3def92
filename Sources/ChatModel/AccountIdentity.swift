/// Which account: one identity on one network, kept in one database file.
package struct AccountIdentity: Sendable, Hashable {
    /// As the configuration calls it; unique in a data folder.
    package var name: String
    /// The kind of service: `streamchat`, …
    package var network: String

    package init(name: String, network: String) {
        self.name = name
        self.network = network
    }
}
