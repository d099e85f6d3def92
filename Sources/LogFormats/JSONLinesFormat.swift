import ChatModel
import Foundation

/// What `--format jsonl` writes: a message a line, with the keys of `docs/json.md`.
///
/// Of those it needs `id`, `kind`, `room` unless that is told, and takes `sender`, `body`, `remote_id`, `received_at`,
/// `source_time`, `edited_at`, `deleted_at`, `reply_to_remote_id` and `flags`; the others say nothing that can be stored, as yet.
package struct JSONLinesFormat: LogFormat {
    package static let name = "jsonl"
    /// 64 KiB of text, each byte escaped as six, and the rest.
    package static let maximumLine = 512 * 1024
    package static let hasLocalTimes = false

    private let room: String?
    private let decoder = JSONDecoder()

    package static func recognises(_ source: LogSource) -> Bool {
        source.beginning.first == UInt8(ascii: "{") && source.beginning.prefix(200)[...].range(of: "\"id\"") != nil
            && !source.name.hasSuffix(".json")
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        room = source.room?.withoutNUL
    }

    package mutating func read(_ line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("it is longer than \(Self.maximumLine) bytes") }
        guard line.bytes.contains(where: { $0 != UInt8(ascii: " ") }) else { return .nothing }
        do {
            return message(try decoder.decode(Line.self, from: Data(line.bytes)))
        } catch {
            return .unreadable(Self.reason(error))
        }
    }

    private struct Line: Decodable {
        struct Sender: Decodable {
            var name: String
        }
        var id: String
        var room: String?
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

    private func message(_ line: Line) -> ParsedLine {
        guard let place = Timestamp(cursor: line.id) else { return .unreadable("its id is no time with six digits") }
        guard let kind = MessageKind(rawValue: line.kind) else { return .unreadable("its kind is none of ours") }
        guard let room = room ?? line.room?.withoutNUL else {
            return .unreadable("it has no room, and --room is not given")
        }
        let (edited, deleted) = (Self.time(line.edited_at), Self.time(line.deleted_at))
        guard edited.isRead else { return .unreadable("its edited_at is no time with six digits") }
        guard deleted.isRead else { return .unreadable("its deleted_at is no time with six digits") }
        let flags = MessageFlags(names: line.flags ?? [])
        let claimed = line.source_time.flatMap(Timestamp.init(cursor:))
        return .message(
            ImportedMessage(
                room: room, kind: kind, sender: line.sender?.name.withoutNUL, body: line.body?.withoutNUL,
                time: claimed ?? flags.resolution.floor(place), resolution: flags.resolution, place: place,
                remoteID: line.remote_id?.withoutNUL, receivedAt: line.received_at.flatMap(Timestamp.init(cursor:)),
                flags: flags, editedAt: edited.time, deletedAt: deleted.time,
                replyTo: line.reply_to_remote_id?.withoutNUL))
    }

    private static func time(_ text: String?) -> (time: Timestamp?, isRead: Bool) {
        let time = text.flatMap(Timestamp.init(cursor:))
        return (time, (time == nil) == (text == nil))
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "it has no \"\(key.stringValue)\""
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "its \"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" is of the wrong type"
        default: "it is no JSON"
        }
    }
}
