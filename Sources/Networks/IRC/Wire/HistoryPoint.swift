import Bytes

/// A message as a place in a room's history: the facts with which a client can request the messages after it, and
/// recognise it.
package struct HistoryPoint: Sendable, Hashable {
    /// The network's id; nil if there is none, or if it can't be sent back.
    package let msgid: [UInt8]?
    /// The time by the network's clock, since 1970 UTC, limited to the range that can be written.
    package let milliseconds: Int64
    /// The sender's nick. A long one is replaced by its digest, because thousands of points are kept.
    package let sender: [UInt8]
    /// The text of the parameters; a long one is replaced by its digest.
    package let text: [UInt8]

    /// The limit of a msgid in bytes. Real servers have 20 to 40.
    private static let maximumMsgidBytes = 256

    package init(msgid: [UInt8]?, milliseconds: Int64, sender: [UInt8], text: [UInt8]) {
        let canBeSent = msgid.map { id in
            !id.isEmpty && id.count <= Self.maximumMsgidBytes && !id.contains { $0 == Byte.space || Byte.endsLine($0) }
        }
        self.msgid = canBeSent == true ? msgid : nil
        self.milliseconds = min(max(milliseconds, ServerTime.earliest), ServerTime.latest)
        (self.sender, self.text) = (Self.digest(sender), Self.digest(text))
    }

    /// The limit of bytes that are kept unchanged: two of three messages of IRC have fewer.
    private static let maximumBytes = 64

    /// Returns two hashes of 64 bits and the length for a long text; equal texts have equal digests within one process.
    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > maximumBytes else { return bytes }
        let parts = [0, 1].map { seed in
            var hasher = Hasher()
            hasher.combine(seed)
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            return "\(hasher.finalize())"
        }
        return Array("\(parts[0]) \(parts[1]) \(bytes.count)".utf8)
    }

    /// Nil for a message without a time, which has no place.
    package init?(_ message: IRCMessage) {
        guard let milliseconds = message.tag("time").flatMap(ServerTime.milliseconds) else { return nil }
        self.init(
            msgid: message.tag("msgid"), milliseconds: milliseconds, sender: message.source?.nick ?? [],
            text: Array(message.params.dropFirst().joined(separator: [Byte.space])))
    }

    /// Compares by msgid if both have one, otherwise by time, sender and text. A replay's time may be cut to whole
    /// seconds.
    package func isSame(as other: HistoryPoint) -> Bool {
        if let msgid, let id = other.msgid { return msgid == id }
        guard sender == other.sender, text == other.text else { return false }
        guard milliseconds != other.milliseconds else { return true }
        let isCut = milliseconds % 1000 == 0 || other.milliseconds % 1000 == 0
        return isCut && milliseconds / 1000 == other.milliseconds / 1000
    }
}
