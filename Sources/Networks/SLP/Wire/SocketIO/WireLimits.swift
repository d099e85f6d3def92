/// The limits of what a server may send.
package struct WireLimits: Sendable, Hashable {
    /// The limit of bytes in one packet with its attachments: an event of 1 MiB, the limit of an element of history,
    /// with each byte escaped as two (`\uAC00` for the three of 가), and 64 KiB around it. A packet is copied about ten
    /// times while it is read.
    package var packetBytes = (2 * 1024 + 64) * 1024
    /// The limit of attachments of one packet. SLP has none.
    package var attachments = 64
    /// The limit of bytes in the open packet, which usually has about 120.
    package var handshakeBytes = 16 * 1024
    /// The number of bytes that are kept of a packet that is too long, to identify it.
    package var keptBytes = 1024

    package init() {}
}
