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
        switch item {
        case .gap(let gap):
            return "!!! \(MessageRemarks.sentence(gap, time: time, shownDay: day?.day))\n"
        case .message(let message, _):
            messages += 1
            let moment = LocalMoment(message.time, in: settings.zone)
            let lines = words(message).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            return dayLine(moment) + moment.second + " "
                + lines.map { String(Substring($0)) }.joined(separator: "\n         | ") + "\n"
                + remarks(message).map { "         ~ \($0)\n" }.joined()
        }
    }

    private mutating func dayLine(_ moment: LocalMoment) -> String {
        let next = (moment.day, moment.offsetSeconds)
        if let day, day == next { return "" }
        day = next
        return "\n--- \(moment.weekday) \(moment.day) \(moment.offset)\n"
    }

    /// Returns a line in IRC's style for the message's kind.
    private func words(_ message: Message) -> String {
        let who = Self.name(message.sender)
        let body = StyledText(message.body ?? "").text
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
