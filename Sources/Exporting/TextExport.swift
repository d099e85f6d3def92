import Bytes
import ChatModel
import FoundationEssentials
import Rendering

/// A log like those of IRC clients: one line for each message, below a line with the day and its offset from UTC.
///
/// Only Scrollback writes at the beginning of a line: a time of day, `---` or `!!!`. The rest of a message is below it,
/// after nine spaces and `|` (for its next line) or `~` (for a remark).
struct TextExport: ExportFormat {
    static let name = "text"
    static let fileExtension = "log"

    private let unit: ExportUnit
    private let settings: ExportSettings
    private let time: LocalTime
    /// The day and offset of the last day line. When the offset changes, a new day line is written.
    private var day: (day: String, offset: Int)?
    private var messages = 0

    init(_ unit: ExportUnit, of export: ExportSettings) {
        (self.unit, settings) = (unit, export)
        time = LocalTime(zone: export.zone)
    }

    mutating func begin(part: Int) -> String {
        (day, messages) = (nil, 0)
        return """
            --- room: \(Sanitizer.line(unit.room))
            --- account: \(Sanitizer.line(settings.account)) (\(Sanitizer.line(settings.networks)))
            --- month: \(unit.month)\(part > 1 ? ", part \(part)" : "")
            --- times: \(settings.zone.identifier)

            """
    }

    mutating func end(part: Int, hasMore: Bool) -> String {
        "--- end: \(messages.grouped) message\(messages == 1 ? "" : "s")\(hasMore ? ", more in part \(part + 1)" : "")\n"
    }

    mutating func render(_ item: ExportItem) -> String {
        var bytes: [UInt8] = []
        write(item, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func write(_ item: ExportItem, to bytes: inout [UInt8]) {
        switch item {
        case .gap(let gap):
            bytes.append(utf8: "!!! \(MessageRemarks.sentence(gap, time: time, shownDay: day?.day))\n")
        case .message(let message, _):
            messages += 1
            let moment = LocalMoment(message.time, in: settings.zone)
            writeDay(moment, to: &bytes)
            bytes.append(utf8: moment.second)
            bytes.append(Byte.space)
            Self.writeLines(words(message), to: &bytes)
            for remark in remarks(message) { bytes.append(utf8: "         ~ \(remark)\n") }
        }
    }

    /// Writes the line of a day, if the day or the offset changed.
    private mutating func writeDay(_ moment: LocalMoment, to bytes: inout [UInt8]) {
        let next = (moment.day, moment.offsetSeconds)
        if let day, day == next { return }
        day = next
        bytes.append(utf8: "\n--- \(moment.weekday) \(moment.day) \(moment.offset)\n")
    }

    /// Writes a text with its lines below each other, and a line feed after the last.
    private static func writeLines(_ text: String, to bytes: inout [UInt8]) {
        guard text.utf8.hasAny({ $0 == Byte.lineFeed }) else {
            bytes.append(utf8: text)
            return bytes.append(Byte.lineFeed)
        }
        for (index, line) in text.utf8.split(separator: Byte.lineFeed, omittingEmptySubsequences: false).enumerated() {
            if index > 0 { bytes.append(utf8: "         | ") }
            bytes += line
            bytes.append(Byte.lineFeed)
        }
    }

    /// Returns a line in IRC's style for the message's kind.
    private func words(_ message: Message) -> String {
        let who = Self.name(message.sender)
        let body = StyledText.text(of: message.body ?? "")
        switch message.kind {
        case .message: return "<\(who)> \(body)"
        case .action: return "* \(who) \(body)"
        case .notice: return "-\(who)- \(body)"
        case .system: return "*** \(body)"
        case .join, .leave, .kick, .rename, .topic, .mode, .invite:
            if let topic = MessageRemarks.standingTopic(message, zone: settings.zone) {
                return "-!- " + [topic.before, body, topic.after].filter { !$0.isEmpty }.joined(separator: " ")
            }
            let event = "-!- \(who) \(MessageRemarks.eventWords(message) ?? "")"
            if body.isEmpty { return event }
            return MessageRemarks.isReason(message.kind) ? "\(event) [\(body)]" : "\(event) \(body)"
        }
    }

    /// Returns a name that can't end early, and that can't make a notice (`-name-`) look like an event (`-!-`).
    private static func name(_ sender: Message.Sender?) -> String {
        let name = MessageRemarks.name(sender).replacingScalar("<", with: "\\u{3C}").replacingScalar(
            ">", with: "\\u{3E}")
        return name.unicodeScalars.first == "!" ? "\\u{21}" + String(name.unicodeScalars.dropFirst()) : name
    }

    /// Returns the place of a file's copy, or the reason why there is none; empty for an export without files.
    private func copy(_ file: Attachment) -> String {
        guard let files = settings.files else { return "" }
        return files.path(of: file, from: unit.folder).map { ", copied to \($0)" }
            ?? ", not copied (\(ExportedFiles.reason(file)))"
    }

    private func remarks(_ message: Message) -> [String] {
        var remarks: [String] = []
        if let reply = message.reply, reply.id != nil {
            remarks.append("in reply to " + ReplyText.excerpt(reply, width: 60))
        }
        let marks = MessageRemarks.marks(message)
        if !marks.isEmpty { remarks.append("(\(marks.joined(separator: ", ")))") }
        for file in message.attachments {
            let size = file.size.map { ", \(ByteCount($0))" } ?? ""
            remarks.append(
                "file \(Sanitizer.line(file.name)) (\(file.kind.rawValue)\(size)): \(Sanitizer.line(file.path))\(copy(file))"
            )
        }
        for reaction in message.reactions {
            remarks.append(
                "reaction \(Sanitizer.line(reaction.text)): \(reaction.by.map(Sanitizer.line).joined(separator: ", "))")
        }
        return remarks
    }
}
