import Bytes

/// The source of a line: `nick!user@host`, where any part but the first may be missing, or a server's name.
package struct IRCSource: Sendable, Hashable {
    /// The bytes as sent, without the colon.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The nick, or the server's name.
    package var nick: [UInt8] {
        Array(beforeHost.prefix { $0 != Byte.bang })
    }

    /// The user name; empty if there is none.
    package var user: [UInt8] {
        Array(beforeHost.drop { $0 != Byte.bang }.dropFirst())
    }

    /// The host; empty if there is none.
    package var host: [UInt8] {
        Array(bytes[beforeHost.endIndex...].dropFirst())
    }

    /// True if the source can only be a server, because a nick has no dot (RFC 2812 §2.3.1) and a server has no user.
    package var isServer: Bool {
        bytes.contains(Byte.dot) && !bytes.contains(Byte.at) && !bytes.contains(Byte.bang)
    }

    private var beforeHost: ArraySlice<UInt8> {
        bytes[..<(bytes.lastIndex(of: Byte.at) ?? bytes.endIndex)]
    }
}
