import Bytes
package import ChatModel
import SQLite
package import Schema

/// The indexed parts of a message.
package struct SearchEntry: Sendable {
    package var id: Int64
    package var room: Int64
    package var sender: Int64?
    var kind: MessageKind
    package var body: String?
    var marks: SearchMarks = []
    /// True for a message that was imported as read. The index does not have it; it counts on its own (``MessageCounts``).
    package var isRead = false

    package init(
        id: Int64, room: Int64, sender: Int64? = nil, kind: MessageKind, body: String? = nil, marks: SearchMarks = [],
        isRead: Bool = false
    ) {
        (self.id, self.room, self.sender, self.kind, self.body) = (id, room, sender, kind, body)
        (self.marks, self.isRead) = (marks, isRead)
    }

    package var facets: String {
        var facets = "all r"
        facets += String(room)
        if kind != .message { facets += " k\(kind.rawValue)" }
        if let sender {
            facets += " u"
            facets += String(sender)
        }
        if hasLink { facets += " hlink" }
        if !marks.isEmpty { facets += marks.facets }
        return facets
    }

    /// The columns that ``init(_:)`` takes.
    package static let columns = """
        id, room_id, sender_id, kind, body, edited_at_us IS NOT NULL, deleted_at_us IS NOT NULL, flags,
          reply_to IS NOT NULL, \(SearchMarks.paths)
        """

    /// True for a body with `http://` or `https://`. Stored indexes contain the results, so this rule is separate from
    /// `BodyLink` of Rendering, which decides which links are safe to offer.
    private var hasLink: Bool {
        guard let body, body.hasByte(UInt8(ascii: "/")) else { return false }
        let (bytes, slash) = (Array(body.utf8), UInt8(ascii: "/"))
        let places = bytes.indices.dropLast(3).filter {
            bytes[$0] == UInt8(ascii: ":") && bytes[$0 + 1] == slash && bytes[$0 + 2] == slash
        }
        guard !places.isEmpty, bytes.contains(where: { $0 >= 0x80 }) else {
            return places.contains { Self.isLink(bytes, at: $0) }
        }
        // An accent can combine with the link's characters, which only the expression handles. Compiling it takes as
        // long as storing two messages.
        return body.firstMatch(of: /https?:\/\/[^\s]/.ignoresCase()) != nil
    }

    /// Returns true for a link that the expression would find in a text of ASCII.
    ///
    /// - Parameter place: The index of `://`; a byte follows it.
    private static func isLink(_ bytes: [UInt8], at place: Int) -> Bool {
        let before = bytes[..<place].suffix(5).map { $0 | 0x20 }
        guard before.suffix(4).elementsEqual("http".utf8) || before.elementsEqual("https".utf8) else { return false }
        let next = bytes[place + 3]
        return next != UInt8(ascii: " ") && !(UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(next)
    }
}

extension SearchEntry {
    /// - Throws: `SQLITE_CORRUPT` for a row that no program wrote.
    package init(_ row: Columns) throws {
        try self.init(
            id: row.integer(0), room: row.integer(1), sender: row.optionalInteger(2),
            kind: MessageKind(code: row.integer(3)), body: row.optionalText(4),
            marks: SearchMarks(
                isEdited: row.bool(5), isDeleted: row.bool(6), flags: MessageFlags(rawValue: row.integer(7)),
                isReply: row.bool(8), files: SearchMarks.files(joined: row.optionalText(9))))
    }

    package init(_ message: Message) {
        self.init(
            id: message.id.microseconds, room: message.roomID, sender: message.sender?.id, kind: message.kind,
            body: message.body,
            marks: SearchMarks(
                isEdited: message.editedAt != nil, isDeleted: message.deletedAt != nil, flags: message.flags,
                isReply: message.reply != nil, files: SearchMarks.files(at: message.attachments.map(\.path))))
    }
}
