/// How much a server may send.
package struct WireLimits: Sendable, Hashable {
    /// Bytes of one packet as sent, together with its attachments: an event of 1 MiB, as much as an element of history
    /// may have, of which each byte is escaped as two (`\uAC00` for the three of 가), and 64 KiB around it. A packet is copied some
    /// ten times while it is read.
    package var packetBytes = (2 * 1024 + 64) * 1024
    /// Attachments of one packet; SLP has none.
    package var attachments = 64
    /// Bytes of the open packet, which has about 120.
    package var handshakeBytes = 16 * 1024
    /// Bytes kept of what is too long, to tell what it was.
    package var keptBytes = 1024

    package init() {}
}
