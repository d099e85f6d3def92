package import Accounts

/// The settings of the table `[shared]`.
package struct ReplicationSettings: Sendable, Hashable {
    package var address: SharedAddress
    /// The number of connections, whatever the number of accounts.
    package var connections: Int

    package static let usualConnections = 2
    package static let connectionRange = 1...64

    package init(address: SharedAddress, connections: Int = usualConnections) {
        (self.address, self.connections) = (address, connections)
    }
}
