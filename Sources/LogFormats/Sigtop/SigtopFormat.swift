import Bytes
import ChatModel

/// The files that sigtop writes, one for each conversation: text (`-f text`), or the messages of Signal Desktop's
/// database as JSON (`-f json`).
///
/// Text has times to the second, with their zone, and no ids.
package struct SigtopFormat: LogFormat {
    package static let name = "sigtop"
    package static let programs = "sigtop (text, JSON)"
    /// 1 MiB: Signal's texts have at most 64 KiB, of which each byte may be written as six.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let ownerWords = ["You"]

    private var room: SigtopName
    private let isRoomGiven: Bool
    private var held: SigtopBlock?
    /// A line that begins a message, if the next one continues its beginning.
    private var possible: LogLine?

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        if source.beginning.first == Byte.listStart {
            let first = JSONPieceCutter.pieces(of: source.beginning, at: ["[]"]).first
            guard let first, let json = try? JSONValue(object: first, limit: maximumLine) else { return false }
            return json["conversationId"] != nil && json["type"] != nil && json["sent_at"] != nil
        }
        let lines = IRCLog.lines(of: source.beginning, first: 4)
        guard lines.first?.starts(with: SigtopName.title) ?? false else { return false }
        return lines.dropFirst().contains { $0.starts(with: "Type: ") }
    }

    package static func cutter() -> any SourceCutter { SigtopCutter(maximumPiece: maximumLine) }

    /// - Throws: ``LogSourceError/noRoom`` for JSON without a file's name, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        let stem = source.name.split(separator: ".").dropLast().joined(separator: ".")
        let name = source.room ?? (stem.isEmpty ? source.name : stem)
        guard !name.isEmpty || source.beginning.first != Byte.listStart else { throw .noRoom }
        isRoomGiven = source.room != nil
        room = SigtopName(name.withoutNUL)
    }

    package var heldLine: LogLine? { held?.line }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard line.place.isEmpty else { return parseJSON(line) }
        if let before = possible {
            possible = nil
            if SigtopBlock.isBeginning(before.bytes, line.bytes) {
                let parsed = finish()
                held = SigtopBlock(before)
                held?.add(line)
                return parsed
            }
            held?.add(before)
        }
        if SigtopBlock.mayBegin(line.bytes), held?.mayEnd ?? true {
            possible = line
            return .nothing
        }
        guard held != nil else { return parseHead(line) }
        held?.add(line)
        return .nothing
    }

    private mutating func parseHead(_ line: LogLine) -> ParsedLine {
        if line.bytes.isBlank { return .nothing }
        guard line.number == 1, let title = line.bytes.after(SigtopName.title) else {
            return .unreadable("no line before it begins a message")
        }
        if !isRoomGiven { room = SigtopName(LogText(title).string) }
        return .nothing
    }

    package mutating func finish() -> ParsedLine {
        if let possible {
            self.possible = nil
            held?.add(possible)
        }
        guard let block = held else { return .nothing }
        held = nil
        guard let time = block.sent else { return .unreadable("its time can't be read") }
        var imported = blank(isOwn: block.isOwn, block.sender, type: block.type, at: time, .second)
        imported.files = block.files.map { ImportedMessage.File(path: $0) }
        (imported.versions, imported.editedAt) = (block.versions, block.editedAt)
        let text = ExportText(lines: [block.text])
        (imported.body, imported.flags) = (text.string ?? imported.body, text.flags.union(block.flags))
        return .message(imported)
    }

    /// Returns a message without its text; for an event, with its type as the text.
    private func blank(
        isOwn: Bool, _ sender: SigtopName?, type: String, at time: Timestamp, _ resolution: TimeResolution
    ) -> ImportedMessage {
        let isMessage = ["incoming", "outgoing", "story"].contains(type)
        let isNamed = isOwn || sender != nil
        return ImportedMessage(
            room: room.name, roomKind: room.isGroup ? .group : .direct,
            kind: isMessage ? .message : isNamed ? .action : .system,
            sender: isOwn ? "You" : sender?.name ?? (isMessage ? room.name : nil),
            body: isMessage ? nil : Self.words(type),
            time: time, resolution: resolution)
    }

    /// Returns `group v2 change` for `group-v2-change`.
    private static func words(_ type: String) -> String { String(type.map { $0 == "-" ? " " : $0 }).withoutNUL }

    private func parseJSON(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            guard let sent = try json.required("sent_at").scalar().integer else {
                throw UnreadablePiece("its \"sent_at\" is not a whole number")
            }
            let type = try json.required("type").requiredText()
            let source = ExportText.name(try json.text("source"), try json.text("sourceServiceId"))
            let sender = room.isGroup ? source.map { SigtopName($0) } : nil
            let time = Timestamp(milliseconds: sent)
            var imported = blank(isOwn: type == "outgoing", sender, type: type, at: time, .microsecond)
            let isErased = try json.isTrue("isErased")
            let text = ExportText(lines: [try json.text("body"), try json.object("sticker")?.text("emoji")])
            imported.body = text.string ?? imported.body
            imported.flags = json.flags.union(text.flags)
            if try json.isTrue("deletedForEveryone") || isErased { (imported.body, imported.deletedAt) = (nil, time) }
            let edits = try json.objects("editHistory")
            for edit in edits.reversed().dropLast() {
                let at = try edit.scalar("timestamp")?.integer.map(Timestamp.init(milliseconds:)) ?? time
                let body = ExportText(lines: [try edit.text("body")]).string
                imported.versions.append(ImportedMessage.Version(at: at, body: body))
            }
            imported.editedAt =
                try edits.count > 1
                ? edits.first?.scalar("timestamp")?.integer.map(Timestamp.init(milliseconds:)) : nil
            for file in try json.objects("attachments") {
                let name = ExportText.name(try file.text("fileName"), try file.text("contentType")) ?? "file"
                imported.files.append(ImportedMessage.File(path: name, size: try file.scalar("size")?.integer))
            }
            return .message(imported)
        } catch {
            return .unreadable(error.reason)
        }
    }
}

/// A person or a group as sigtop writes it: `bob (+15550100)`, `plans (group)`.
struct SigtopName {
    static let title = "Conversation: "

    let name: String
    let isGroup: Bool

    init(_ text: String) {
        guard text.hasSuffix(")"), let start = text.lastIndex(of: "("), start > text.startIndex else {
            (name, isGroup) = (ExportText.name(text) ?? "unknown", false)
            return
        }
        name = ExportText.name(String(text[..<start]).trimmedOfBlanks, text) ?? "unknown"
        isGroup = text[start...] == "(group)"
    }
}
