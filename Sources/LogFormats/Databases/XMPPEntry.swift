import Bytes
import ChatModel

/// A message of an XMPP client's database. Rooms and people are called by their addresses, people of rooms by nickname.
struct XMPPEntry {
    /// The address of the room, or of the other person.
    var room: String
    var isDirect: Bool
    /// The sender; nil for a notice.
    var sender: String?
    var text: String?
    var time: Timestamp
    var resolution: TimeResolution
    /// The id that the sender's client gave the message.
    var id: String?
    /// The id that the server's archive gave the message (XEP-0359).
    var serverID: String?
    /// The id of the message whose text this one replaces (XEP-0308).
    var replaced: String?
    /// The id of the answered message (XEP-0461).
    var replyTo: String?

    /// Returns the message. A text that begins with `/me ` is an action (XEP-0245).
    func message(flags: MessageFlags) -> ImportedMessage {
        let isAction = sender != nil && text?.hasPrefix("/me ") == true
        let body = ExportText(lines: [isAction ? text.map { String($0.dropFirst(4)) } : text])
        var message = ImportedMessage(
            room: room, roomKind: isDirect ? .direct : .channel,
            kind: sender == nil ? .system : isAction ? .action : .message, sender: sender,
            body: body.string ?? (sender == nil ? nil : ""), time: time, resolution: resolution, remoteID: id,
            flags: flags.union(body.flags), replyTo: replyTo)
        message.serverID = serverID.map { .known($0) } ?? .unknown
        return message
    }

    /// Reads seconds since 1970, with a fraction or without, as SQLite writes a number.
    ///
    /// - Throws: ``UnreadablePiece`` for another text.
    static func time(_ text: String?) throws(UnreadablePiece) -> (Timestamp, TimeResolution) {
        guard let text, case .instant(let time, let resolution)? = ColumnTime(digits: Array(text.utf8)[...]) else {
            throw UnreadablePiece("its time is not a number")
        }
        // SQLite writes a whole number of a REAL column as 1795242191.0.
        return (time, text.hasSuffix(".0") ? .second : resolution)
    }
}

/// The messages of an XMPP client's database that later ones may correct.
struct XMPPCorrections: Sendable {
    private struct Key: Hashable {
        var room: String
        var id: String
    }

    private typealias Original = (id: String, serverID: ImportedMessage.ServerID?, time: Timestamp)

    /// The messages by room and id.
    private var originals: [Key: Original] = [:]

    /// The limit of ``originals``, at some 200 bytes each. A client corrects its last message.
    private static let maximumOriginals = 50_000

    /// Returns the message of an entry. A correction becomes a newer text of its message, and an answer to it if that
    /// message is not before it.
    mutating func message(_ entry: XMPPEntry, flags: MessageFlags) -> ImportedMessage {
        var message = entry.message(flags: flags)
        guard let target = entry.replaced else {
            note(entry.id, of: message)
            return message
        }
        guard let original = originals[Key(room: entry.room, id: target)] else {
            message.replyTo = target
            note(entry.id, of: message)
            return message
        }
        message.editedAt = message.time
        (message.remoteID, message.time) = (original.id, original.time)
        message.serverID = original.serverID
        // Some clients correct the correction.
        note(entry.id, of: message)
        return message
    }

    private mutating func note(_ id: String?, of message: ImportedMessage) {
        guard let id, let original = message.remoteID else { return }
        if originals.count >= Self.maximumOriginals { originals.removeAll(keepingCapacity: true) }
        originals[Key(room: message.room, id: id)] = (original, message.serverID, message.time)
    }
}

/// An address of XMPP: `alice@example.net` or `room@example.net/alice`.
enum XMPPAddress {
    /// Returns the part after the first `/`, such as a nickname; nil if there is none.
    static func resource(of address: String) -> String? {
        let part = address.drop { $0 != "/" }.dropFirst()
        return part.isEmpty ? nil : String(part)
    }
}
