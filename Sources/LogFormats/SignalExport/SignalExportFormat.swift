import Bytes
import ChatModel

/// The files of signal-export (`sigexport`), one folder for each chat: `data.json` with an object of JSON a line, and
/// `chat.md` with the same messages as text.
///
/// Times are local, and nothing has an id.
package struct SignalExportFormat: LogFormat {
    package static let name = "signal-export"
    package static let programs = "signal-export (sigexport)"
    /// 1 MiB: Signal's texts have at most 64 KiB, of which each byte may be written as six.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = true
    package static let isAlwaysUTF8 = true
    package static let ownerWords = ["Me"]

    /// A message of `chat.md` that may continue.
    private struct Held {
        var line: LogLine
        /// Nil for a date that is not in the calendar.
        var time: LineTime?
        var sender: ArraySlice<UInt8>
        var text: HeldText
    }

    private let room: String
    private let isJSON: Bool
    private var clock: LogClock
    private var held: Held?
    private var reactions = 0

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        let line = source.beginning.prefix { $0 != Byte.lineFeed }
        if line.first == Byte.objectStart {
            guard let json = try? JSONValue(object: LogLine(number: 1, bytes: line), limit: maximumLine) else {
                return false
            }
            return keys.allSatisfy { json.has($0) }
        }
        return isOwnName(source.name) && header(line) != nil
    }

    private static let keys: [StaticString] = ["date", "sender", "body", "quote", "reactions", "attachments"]

    package static func isOwnName(_ name: String) -> Bool { name == "chat.md" }

    /// Returns `data.json` of a chat's folder, or `chat.md` where it is missing; nil for other folders.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        let own = paths.prefix { !$0.utf8.contains(Byte.slash) }
        func index(_ name: String) -> Int? { own.enumerated().first { $0.element == name }?.offset }
        guard let text = index("chat.md") else { return nil }
        return [index("data.json") ?? text]
    }

    package static func saysNothing(_ path: some StringProtocol) -> Bool { path == "chat.md" || path == "index.html" }

    /// - Throws: ``LogSourceError/noRoom`` for a file outside of a folder, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = source.room ?? source.folders.last else { throw .noRoom }
        self.room = room.withoutNUL
        isJSON = source.beginning.first == Byte.objectStart
        clock = LogClock(zone: source.zone, now: source.now)
    }

    package var heldLine: LogLine? { held?.line }

    package var assumptions: [String] {
        (reactions > 0 ? ["reactions skipped, because the messages have no ids: \(reactions)"] : []) + clock.assumptions
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        if isJSON { return line.bytes.isBlank ? .nothing : parseJSON(line) }
        guard let (stamp, sender, text) = Self.header(line.bytes) else {
            guard held != nil else {
                return line.bytes.isBlank ? .nothing : .unreadable("no line before it begins a message")
            }
            held?.text.append(line.bytes, isCut: line.isCut)
            return .nothing
        }
        let before = finish()
        let time = clock.resolve(stamp, line: line.number)
        held = Held(line: line, time: time, sender: sender, text: HeldText(text, isCut: line.isCut))
        return before
    }

    /// Reads `[2026-11-21 06:23:11] alice: hi`; nil for another line.
    private static func header(
        _ line: ArraySlice<UInt8>
    ) -> (LineStamp, sender: ArraySlice<UInt8>, text: ArraySlice<UInt8>)? {
        var rest = line
        guard let stamp = LineStamp(taking: &rest, brackets: .required), stamp.date != nil, stamp.offset == nil,
            stamp.resolution == .second, let (sender, text) = rest.parted(by: ": "), !sender.isEmpty
        else { return nil }
        return (stamp, sender, text)
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        guard let time = held.time else { return .unreadable("its date does not exist") }
        var content = SignalExportText(held.text.whole)
        var message = ImportedMessage(
            room: room, kind: .message, sender: nil, body: nil, time: time.time, resolution: .second,
            place: time.place, flags: held.text.isCut ? .oversize : [])
        if content.text.elementsEqual("(This message was deleted)".utf8) {
            (content.text, message.deletedAt) = ([], time.time)
        }
        message.set(.message, held.sender, content.text.isEmpty ? nil : content.text)
        message.files = content.files.map { ImportedMessage.File(path: $0) }
        reactions += content.reactions
        return .message(message)
    }

    private mutating func parseJSON(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            let json = try JSONValue(object: line, limit: Self.maximumLine)
            guard let written = WrittenTime(try json.required("date").requiredText()) else {
                throw UnreadablePiece("its \"date\" is not a time")
            }
            var stamp = LineStamp(
                date: written.date, seconds: written.clock.seconds, microseconds: written.clock.microseconds ?? 0,
                resolution: .microsecond)
            stamp.offset = written.offset
            guard let time = clock.resolve(stamp, line: line.number) else {
                throw UnreadablePiece("its \"date\" is not a time")
            }
            guard let sender = ExportText.name(try json.required("sender").requiredText()) else {
                throw UnreadablePiece("its sender has no name")
            }
            let isDeleted = try json.isTrue("deleted")
            let sticker =
                try json["sticker"]?.isObject == true ? json.object("sticker")?.text("emoji") : json.text("sticker")
            let lines = [try json.text("quote"), try json.text("body"), sticker].map { $0?.trimmedOfBlanks }
            let text = ExportText(lines: isDeleted ? [] : lines)
            reactions += try json.list("reactions").count
            var message = ImportedMessage(
                room: room, kind: try json.isTrue("call") ? .action : .message, sender: sender, body: text.string,
                time: time.time, resolution: .microsecond, place: time.place, flags: json.flags.union(text.flags),
                deletedAt: isDeleted ? time.time : nil)
            for attachment in try json.objects("attachments") {
                guard let path = try attachment.text("path"), !path.isEmpty else { continue }
                message.files.append(ImportedMessage.File(path: SignalExportText.path(path)))
            }
            return .message(message)
        } catch {
            return .unreadable(error.reason)
        }
    }
}
