import Bytes
import ChatModel

extension JSONLinesFormat {
    enum Entry: Decodable, Equatable {
        /// A message, with the further keys of a full export.
        case message(Line, ExactMessage?)
        case record(ArchiveRecord)

        private enum CodingKeys: String, CodingKey {
            case record
        }

        init(from decoder: any Decoder) throws {
            guard try !decoder.container(keyedBy: CodingKeys.self).contains(.record) else {
                self = .record(try ArchiveRecord(from: decoder))
                return
            }
            let line = try Line(from: decoder)
            self = .message(line, line.room_key == nil ? nil : try ExactMessage(from: decoder))
        }
    }

    struct Line: Decodable, Equatable {
        struct Sender: Decodable, Equatable {
            var name: String
            /// The network's id of the person. A full export has it as `sender_key`.
            var key: String?
        }
        var id: String
        var room: String?
        var room_key: String?
        var kind: String
        var sender: Sender?
        var body: String?
        var remote_id: String?
        var received_at: String?
        var source_time: String?
        var edited_at: String?
        var deleted_at: String?
        var flags: [String]?
        var reply_to_remote_id: String?
    }
}

extension JSONLinesFormat.Entry {
    /// Reads a message as an export writes most of them. Foundation's decoder takes several times as long.
    ///
    /// Returns nil for every other line: with a record, earlier texts, reactions or files, of a person without a key, and with
    /// any value that is not as an export writes it. The decoder reads these lines, and names what is wrong.
    init?(usual line: LogLine) {
        guard Self.isPlain(line.bytes), let object = try? JSONValue(object: line, limit: JSONLinesFormat.maximumLine),
            !object.has("record"), let message = try? JSONLinesFormat.Line(object)
        else { return nil }
        guard message.room_key != nil else {
            guard object.flags.isEmpty else { return nil }
            self = .message(message, nil)
            return
        }
        guard let exact = try? ExactMessage(usual: object), object.flags.isEmpty else { return nil }
        self = .message(message, exact)
    }

    /// Returns true for UTF-8 without what ``JSONTree`` reads and the decoder does not: control characters, and `\x`.
    private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
        let isPlain = bytes.withUnsafeBufferPointer { bytes in
            var before: UInt8 = 0
            for byte in bytes {
                if byte < 0x20 || byte == UInt8(ascii: "x") && before == Byte.backslash { return false }
                before = byte
            }
            return true
        }
        return isPlain && String(validating: bytes, as: UTF8.self) != nil
    }
}

extension JSONLinesFormat.Line {
    fileprivate init(_ object: JSONValue) throws(UnreadablePiece) {
        id = try object.required("id").requiredText()
        kind = try object.required("kind").requiredText()
        (room, room_key) = (try object.text("room"), try object.text("room_key"))
        sender = try object.object("sender").map { sender throws(UnreadablePiece) in
            Sender(name: try sender.required("name").requiredText(), key: try sender.text("key"))
        }
        (body, remote_id) = (try object.text("body"), try object.text("remote_id"))
        (received_at, source_time) = (try object.text("received_at"), try object.text("source_time"))
        (edited_at, deleted_at) = (try object.text("edited_at"), try object.text("deleted_at"))
        flags = try object["flags"]?.allElements().map { flag throws(UnreadablePiece) in
            guard let flag else { throw UnreadablePiece.noJSON }
            return try flag.requiredText()
        }
        reply_to_remote_id = try object.text("reply_to_remote_id")
    }
}

extension ExactMessage {
    /// Reads what ``init(from:)`` does, of a message without earlier texts, reactions and files.
    fileprivate init(usual object: JSONValue) throws(UnreadablePiece) {
        for key in ["versions", "reaction_list", "files"] as [StaticString] {
            guard try object[key]?.allElements().isEmpty ?? true else { throw UnreadablePiece.noJSON }
        }
        let (kind, time) = (try object.text("room_kind"), try object.text("source_time"))
        let (known, claimed) = (kind.flatMap(RoomReference.Kind.init(rawValue:)), time.flatMap(Timestamp.init(cursor:)))
        guard object["sender_former"] == nil, (kind == nil) == (known == nil), (time == nil) == (claimed == nil) else {
            throw UnreadablePiece.noJSON
        }
        self.init(
            sourceTime: claimed, roomKey: try object.required("room_key").requiredText(),
            roomKind: known ?? .channel,
            sender: UserIdentity(key: try object.text("sender_key"), former: nil),
            senderIsSelf: try object.isTrue("sender_is_self"))
    }
}
