/// A stored message with the bytes as the network sent them first.
package struct StoredOriginal: Sendable, Hashable {
    /// The network's id.
    package var remoteID: String
    /// The sender's key.
    package var sender: String
    package var raw: [UInt8]

    package init(remoteID: String, sender: String, raw: [UInt8]) {
        (self.remoteID, self.sender, self.raw) = (remoteID, sender, raw)
    }
}
