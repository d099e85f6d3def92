import Bytes
import ChatModel

/// Makes messages of the parts in a table's rows.
struct TableMessages: Sendable {
    typealias Part = ColumnMapping.Part

    private let givenRoom: String?
    private var clock: TableClock

    /// - Parameter samples: The times near the table's beginning.
    /// - Throws: ``LogSourceError`` if no room can be found, or if the times are ambiguous.
    init(_ source: LogSource, hasRooms: Bool, samples: some Sequence<ArraySlice<UInt8>>) throws(LogSourceError) {
        let room = source.room ?? RoomName.inFileName(source.name) ?? RoomName.inFolders(source.folders)
        guard hasRooms || room != nil else { throw .noRoom }
        // A given room is the room of all rows. A room from the file's name is only for rows without a room.
        givenRoom = room?.withoutNUL
        isRoomSure = source.room != nil
        clock = try TableClock(source, samples: samples)
    }

    private let isRoomSure: Bool

    var assumptions: [String] { clock.assumptions }

    /// - Parameters:
    ///   - value: Returns the bytes of a part, without the quotes around them; nil if the row has none.
    ///   - line: The number of the row's first line.
    mutating func message(line: Int, _ value: (Part) -> ArraySlice<UInt8>?) -> ParsedLine {
        func text(_ part: Part) -> LogText? {
            value(part).map(\.trimmed).flatMap { $0.isEmpty ? nil : LogText($0) }
        }
        let (time, resolution): (Timestamp, TimeResolution)
        switch clock.resolve(value(.time) ?? [], line: line) {
        case .time(let found, let foundResolution): (time, resolution) = (found, foundResolution)
        case .unreadable(let reason): return .unreadable(reason)
        }
        let named = isRoomSure ? nil : ExportText.name(text(.room)?.string)
        guard let room = named ?? givenRoom else { return .unreadable("it has no room; add --room '#example'") }
        let word = text(.kind)?.string
        guard let kind = word.map(Self.kind) ?? .message else { return .unreadable("its kind is unknown") }
        let sender = text(.sender)
        let body = value(.text).map { LogText(Self.unixLines($0)) }
        let cut = ExportText(lines: [body?.string])
        let isOwn = text(.own).flatMap { OwnWord.isOwn($0.string) } ?? false
        let name = isOwn ? OwnWord.sender : ExportText.name(sender?.string)
        return .message(
            ImportedMessage(
                room: room, kind: name == nil ? .system : kind, sender: kind == .system ? nil : name,
                body: cut.string ?? (kind == .message && name != nil ? "" : nil), time: time, resolution: resolution,
                remoteID: ExportText.name(text(.id)?.string),
                flags: (sender?.flags ?? []).union(body?.flags ?? []).union(cut.flags),
                replyTo: ExportText.name(text(.reply)?.string)))
    }

    /// The words for kinds that other programs use.
    private static let kinds: [String: MessageKind] = [
        "msg": .message, "privmsg": .message, "text": .message, "chat": .message, "me": .action, "emote": .action,
        "part": .leave, "quit": .leave, "nick": .rename,
    ]

    private static func kind(_ word: String) -> MessageKind? {
        let word = word.lowercased()
        return MessageKind(rawValue: word) ?? kinds[word]
    }

    /// Returns the text with LF for each CRLF.
    private static func unixLines(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(0x0D) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for byte in text {
            if byte == 0x0A, bytes.last == 0x0D { bytes.removeLast() }
            bytes.append(byte)
        }
        return bytes[...]
    }
}
