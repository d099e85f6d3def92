import Bytes
package import ChatModel
import FoundationEssentials

/// The lines that `--format jsonl` and `export` write: a message or a record a line, with the keys of `docs/json.md`.
///
/// A message needs `id`, `kind` and, unless `--room` gives one, `room`. It may have `sender`, `body`, `remote_id`,
/// `received_at`, `source_time`, `edited_at`, `deleted_at`, `reply_to_remote_id` and `flags`. A message of a full
/// export has `room_key`, and every key of ``ExactMessage`` counts; with `--room`, these keys are ignored, and the
/// message is imported like any other.
package struct JSONLinesFormat: LogFormat {
    package static let name = "jsonl"
    package static let programs = "Scrollback"
    package static let isOwnExport = true
    /// 4 MiB: 640 KiB of text, the most that an import accepts at once, with each byte escaped as six, and 256 KiB of
    /// keys and times.
    package static let maximumLine = 4 * 1024 * 1024
    package static let hasLocalTimes = false
    package static let isAlwaysUTF8 = true
    /// 40,000 reactions, files and versions of one message, with at most six values each. Bounds the memory for a line,
    /// which could otherwise have two million values.
    private static let maximumValues = 250_000

    private let room: String?
    private let decoder = JSONDecoder()

    package static func recognises(_ source: LogSource) -> Bool {
        guard source.beginning.first == UInt8(ascii: "{"), !source.name.hasSuffix(".json"),
            !DatabaseHeader.begins(source)
        else { return false }
        let start = source.beginning.prefix { $0 != UInt8(ascii: "\n") }.prefix(200)
        // Lines of qq-chat-exporter have ids, too, and its numbers of people.
        guard start.range(of: "\"uin\"") == nil else { return false }
        return start.range(of: "\"id\"") != nil || start.range(of: "\"record\"") != nil
    }

    /// Returns the files of a folder that `export` wrote: the records first, the months after them. Leaves out the
    /// manifest.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        let own = paths.prefix { !$0.utf8.contains(UInt8(ascii: "/")) }
        guard own.contains(where: { $0 == OwnExport.manifestFile }) else { return nil }
        var files = own.enumerated().filter { $0.element == OwnExport.recordsFile }.map(\.offset)
        for (index, path) in paths.enumerated() where isMonth(path) { files.append(index) }
        return files.isEmpty ? nil : files
    }

    /// Returns true for a path such as `lobby-1/2026-11.jsonl`.
    private static func isMonth(_ path: String) -> Bool {
        path.wholeMatch(of: /[^\/]+\/[0-9]{4}-[0-9]{2}\.jsonl/) != nil
    }

    /// Returns the account of a full export, from its first line; nil for anything else.
    package static func account(in source: LogSource) -> AccountRecord? {
        guard let line = source.beginning.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first,
            case .account(let record)? = try? JSONDecoder().decode(ArchiveRecord.self, from: Data(line))
        else { return nil }
        return record
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        room = source.room?.withoutNUL
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard line.bytes.contains(where: { $0 != UInt8(ascii: " ") }) else { return .nothing }
        guard !JSONValueCount.exceeds(Self.maximumValues, in: line.bytes) else {
            return .unreadable("more than \(Self.maximumValues) values")
        }
        do {
            switch try Entry(usual: line) ?? decoder.decode(Entry.self, from: Data(line.bytes)) {
            case .message(let line, let exact): return message(line, exact)
            case .record(let record): return room == nil ? .record(record) : .nothing
            }
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }

    private func message(_ line: Line, _ exact: ExactMessage?) -> ParsedLine {
        guard let place = Timestamp(cursor: line.id) else {
            return .unreadable("its id is not a time with six decimals")
        }
        guard let kind = MessageKind(rawValue: line.kind) else { return .unreadable("its kind is unknown") }
        guard let room = room ?? line.room?.withoutNUL else {
            return .unreadable("it has no room; add --room '#example'")
        }
        let (edited, deleted) = (Self.time(line.edited_at), Self.time(line.deleted_at))
        guard edited.isRead else { return .unreadable("its edited_at is not a time with six decimals") }
        guard deleted.isRead else { return .unreadable("its deleted_at is not a time with six decimals") }
        let flags = MessageFlags(names: line.flags ?? [])
        // Ignores an implausible time, and the time of a standing topic, which is another message's.
        let claimed = line.source_time.flatMap(Timestamp.init(cursor:)).flatMap {
            place.matched(claim: $0) == $0 && !flags.contains(.standing) ? $0 : nil
        }
        var message = ImportedMessage(
            room: room, kind: kind, sender: line.sender?.name.withoutNUL, body: line.body?.withoutNUL,
            time: claimed ?? flags.resolution.floor(place), resolution: flags.resolution, place: place,
            remoteID: line.remote_id?.withoutNUL, receivedAt: line.received_at.flatMap(Timestamp.init(cursor:)),
            flags: flags, editedAt: edited.time, deletedAt: deleted.time, replyTo: line.reply_to_remote_id?.withoutNUL)
        let key = line.sender?.key?.withoutNUL
        if self.room == nil, var exact = exact?.withoutNUL {
            exact.sender = exact.sender ?? key.map(UserIdentity.key)
            message.exact = exact
        } else {
            message.senderKey = key
        }
        return .message(message)
    }

    private static func time(_ text: String?) -> (time: Timestamp?, isRead: Bool) {
        let time = text.flatMap(Timestamp.init(cursor:))
        return (time, (time == nil) == (text == nil))
    }

    private struct AccountLine: Decodable {
        let account: String
    }

    /// Returns the account of a full export, or of the first line that `history` wrote.
    package static func accountName(in source: LogSource) -> String? {
        if let record = account(in: source) { return record.name }
        let line = source.beginning.prefix { $0 != UInt8(ascii: "\n") }
        return try? JSONDecoder().decode(AccountLine.self, from: Data(line)).account
    }
}

extension ExactMessage {
    /// The message with its texts as the store keeps them, without U+0000.
    fileprivate var withoutNUL: ExactMessage {
        var copy = self
        copy.roomKey = roomKey.withoutNUL
        if case .key(let key) = sender { copy.sender = .key(key.withoutNUL) }
        copy.versions = versions.map { ImportedMessage.Version(at: $0.at, body: $0.body?.withoutNUL) }
        return copy
    }
}
