import Bytes
import ChatModel

/// The tables of WeChat exporters: those of WeChatMsg and MemoTrace in their older and newer form, and those of PyWxDump,
/// which WeFlow writes, too. The columns are found by their names.
package struct WeChatTableFormat: LogFormat {
    package static let name = "wechat-csv"
    package static let programs = "WeChatMsg, MemoTrace, PyWxDump, WeFlow (CSV)"
    /// 1 MiB: a message has at most some kilobytes, and its XML.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = true
    package static let hidesOwner = true
    package static let ownerWords = [OwnWord.sender]

    private let givenRoom: String?
    private let fileRoom: String?
    private let zone: Zone
    private var columns: WeChatColumns?
    /// The names of senders besides the room's and one's own, at most two. A room with two is a group.
    private var others: Set<String> = []
    private var omissions = ExportOmissions()

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        IRCLog.lines(of: source.beginning, first: 1).first.flatMap { WeChatColumns($0) } != nil
    }

    package static func cutter() -> any SourceCutter { CSVRecordCutter(maximumRecord: maximumLine) }

    /// - Throws: ``LogSourceError/noRoom`` for a table that does not name its rooms, unless its file's name does or a
    ///   room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        fileRoom = Self.room(ofFile: source.name)
        zone = source.zone
        let columns = IRCLog.lines(of: source.beginning, first: 1).first.flatMap { WeChatColumns($0) }
        guard givenRoom != nil || fileRoom != nil || columns?.hasRooms ?? false else { throw .noRoom }
    }

    package var assumptions: [String] { omissions.assumptions(zone: zone.identifier) }
    package var unknownKinds: UnknownKinds { omissions.kinds }

    /// Returns `小明` for `小明_utf8.csv` and `小明(1).csv`; nil for the table of all chats.
    private static func room(ofFile name: String) -> String? {
        var stem = name.lowercased().hasSuffix(".csv") ? String(name.dropLast(4)) : name
        if stem.hasSuffix("_utf8") { stem = String(stem.dropLast(5)) }
        if stem.hasSuffix(")"), let open = stem.lastIndex(of: "("), open > stem.startIndex,
            case let digits = stem[stem.index(after: open)...].dropLast().utf8, (1...2).contains(digits.count),
            digits.allSatisfy(Byte.isDigit)
        {
            stem = String(stem[..<open])
        }
        return stem == "messages" ? nil : ExportText.name(stem.trimmedOfBlanks)
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes; is a quote not closed?") }
        guard !line.bytes.isBlank else { return .nothing }
        guard let columns else {
            columns = WeChatColumns(line.bytes)
            return columns == nil ? .unreadable("it is not the header of a WeChat table") : .nothing
        }
        do throws(UnreadablePiece) {
            guard let fields = CSVRecord(line.bytes, separator: Byte.comma)?.fields else {
                throw UnreadablePiece("a quote is not closed")
            }
            var message = try message(WeChatRow(fields, columns))
            message.flags.formUnion(LogText(line.bytes).flags)
            return .message(message)
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func message(_ row: WeChatRow) throws(UnreadablePiece) -> ImportedMessage {
        let key = ExportText.name(row[.room])
        guard let room = givenRoom ?? key ?? fileRoom else { throw UnreadablePiece("it names no room") }
        let time = try time(row)
        let isGroup = key?.hasSuffix("@chatroom") ?? false
        let sender = sender(of: row, in: room, isGroup: isGroup)
        let isSystem = row.isNotice || sender == nil
        let content = row.content
        if row.hasOmission || content.text == nil && content.file == nil {
            omissions.count(kind: row[.kind] ?? "message")
        }
        if let file = content.file, !file.contains("/") { omissions.countFile() }
        let text = ExportText(lines: [content.text])
        return ImportedMessage(
            room: room, roomKey: givenRoom == nil ? key : nil,
            roomKind: key == nil || isGroup ? .group : .direct,
            kind: isSystem ? .system : .message, sender: isSystem ? nil : sender,
            senderKey: isSystem || row.isOwn ? nil : ExportText.name(row[.senderID]), body: text.string, time: time,
            resolution: .second, remoteID: row.id, flags: text.flags,
            files: content.file.map { [ImportedMessage.File(path: $0)] } ?? [])
    }

    /// Returns the sender. In a conversation of two, one without a name is the other person; in a group it is nobody.
    private mutating func sender(of row: WeChatRow, in room: String, isGroup: Bool) -> String? {
        // PyWxDump writes 我 in place of the own id.
        if row.isOwn { return OwnWord.sender }
        guard let name = ExportText.name(row[.remark], row[.nickname], row[.sender]) else {
            return isGroup || others.count > 1 ? nil : room
        }
        if others.count < 2, name != room { others.insert(name) }
        return name
    }

    /// Reads seconds since 1970, or a local time.
    private mutating func time(_ row: WeChatRow) throws(UnreadablePiece) -> Timestamp {
        for value in [row[.time], row[.localTime]].compactMap(\.self) {
            if let seconds = Int64(value) { return Timestamp(seconds: seconds) }
            guard let written = WrittenTime(value), let time = written.instants(in: zone).first else { continue }
            if written.offset == nil { omissions.countTime() }
            return time
        }
        throw UnreadablePiece("its time can't be read")
    }
}
