import Bytes
import ChatModel

/// The JSON of qq-chat-exporter, which reads QQ by NapCat: one file for each chat, or a folder with `manifest.json` and the
/// messages in `chunks`, an object a line. Versions 4 and others have other keys.
package struct QQExporterFormat: LogFormat {
    package static let name = "qq-exporter"
    package static let programs = "qq-chat-exporter (JSON)"
    /// 4 MiB: a message may hold the forwarded ones, and the chat its picture.
    package static let maximumLine = 4 * 1024 * 1024
    package static let hasLocalTimes = false

    private struct Chat {
        var name: String?
        var key: String?
        var kind: RoomReference.Kind
    }

    private let givenRoom: String?
    /// The room in the name of a file that names no other.
    private let fileRoom: String?
    private var chat: Chat?
    private var omissions = ExportOmissions()

    // MARK: - Recognition

    private static let messages = "messages[]"
    private static let manifest = "manifest.json"
    /// The first key of a message in a chunk.
    private static let firstKey = "id"

    /// Recognises a file by the program's name in its metadata, and a chunk by its first message.
    package static func recognises(_ source: LogSource) -> Bool {
        if LinesOrDocumentCutter.hasLines(source.beginning, from: firstKey) { return isChunk(source.beginning) }
        guard source.name != manifest else { return false }
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: ["metadata"])
        return pieces.first?.bytes.range(of: "QQChatExporter") != nil
    }

    private static func isChunk(_ beginning: [UInt8]) -> Bool {
        guard let line = IRCLog.lines(of: beginning, first: 1).first,
            let json = try? JSONValue(object: LogLine(number: 1, bytes: line), limit: maximumLine)
        else { return false }
        return json["sender"]?["uid"] != nil && json["content"]?["elements"] != nil && json["timestamp"] != nil
    }

    package static func cutter() -> any SourceCutter {
        LinesOrDocumentCutter(linesFrom: firstKey, places: ["chatInfo", messages], maximumPiece: maximumLine)
    }

    /// Returns the manifest, and after it the chunks in their order; nil for a folder without both.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        var (manifest, chunks): (Int?, [(path: String, index: Int)]) = (nil, [])
        for (index, path) in paths.enumerated() {
            if path == Self.manifest { manifest = index }
            if path.hasPrefix("chunks/"), path.hasSuffix(".jsonl") { chunks.append((path, index)) }
        }
        guard let manifest, !chunks.isEmpty else { return nil }
        return [manifest] + chunks.sorted { $0.path < $1.path }.map(\.index)
    }

    /// Returns true for the pictures of people.
    package static func saysNothing(_ path: some StringProtocol) -> Bool { path == "avatars.json" }

    /// - Throws: ``LogSourceError/noRoom`` for a single chunk, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        let isChunk = LinesOrDocumentCutter.hasLines(source.beginning, from: Self.firstKey)
        let stem = source.name.hasSuffix(".json") ? String(source.name.dropLast(5)) : source.name
        fileRoom = isChunk ? nil : ExportText.name(stem)
        if isChunk, givenRoom == nil { throw .noRoom }
    }

    package var assumptions: [String] { omissions.assumptions(zone: "") }
    package var unknownKinds: UnknownKinds { omissions.kinds }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        if line.place.isEmpty, line.bytes.isBlank { return .nothing }
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            guard line.place == "chatInfo" else { return .message(try message(json)) }
            let type = try json.text("type") ?? "group"
            chat = Chat(
                name: ExportText.name(try json.text("name")), key: ExportText.name(try json.scalar("peerUid")?.id),
                kind: type == "group" ? .group : .direct)
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        guard let room = givenRoom ?? chat?.name ?? chat?.key ?? fileRoom else {
            throw UnreadablePiece("the export names no chat before it")
        }
        let time = try Self.time(json.required("timestamp"))
        let sender = try QQExportedSender(json.object("sender"))
        let hasNotice = try Self.isTrue(json, "system", "isSystemMessage")
        let isRecalled = try Self.isTrue(json, "recalled", "isRecalled")
        let content = try QQExportedContent(json.object("content"), hasNotice: hasNotice)
        // A recalled message has the notice in place of its text.
        let isSystem = sender.name == nil || hasNotice && !isRecalled
        let text = ExportText(lines: [isRecalled && hasNotice && !isSystem ? nil : content.text])
        var imported = ImportedMessage(
            room: room, roomKey: givenRoom == nil ? chat?.key : nil, roomKind: chat?.kind ?? .group,
            kind: isSystem ? .system : .message, sender: isSystem ? nil : sender.name,
            senderKey: isSystem ? nil : sender.key, body: text.string, time: time, resolution: .second,
            remoteID: ExportText.name(try json.scalar("id")?.id, try json.scalar("messageId")?.id),
            flags: json.flags.union(text.flags),
            replyTo: content.replyTo, files: isRecalled && hasNotice ? [] : content.files)
        if isRecalled, !isSystem { imported.deletedAt = time }
        for _ in 0..<content.missingFiles { omissions.countFile() }
        if text.string == nil, imported.files.isEmpty, !isRecalled { omissions.count(kind: content.kind ?? "message") }
        return imported
    }

    /// Returns true if one of two keys is true: the one of version 4 is the second.
    private static func isTrue(
        _ json: JSONValue, _ key: StaticString, _ other: StaticString
    ) throws(UnreadablePiece) -> Bool {
        let isTrue = try json.isTrue(key)
        return try isTrue ? true : json.isTrue(other)
    }

    /// Reads milliseconds since 1970, or the time of version 4 as text.
    private static func time(_ value: JSONValue) throws(UnreadablePiece) -> Timestamp {
        if let milliseconds = value.number.flatMap(Int64.init) { return Timestamp(milliseconds: milliseconds) }
        guard let time = value.text.flatMap({ WrittenTime($0) })?.instants(in: .gmt).first else {
            throw UnreadablePiece("its \"timestamp\" is not a time")
        }
        return time
    }
}
