import ChatModel
import FoundationEssentials
import Rendering

/// A document that is readable as plain text, and valid in CommonMark and GitHub's dialect.
struct MarkdownExport: ExportFormat {
    static let name = "markdown"
    static let fileExtension = "md"

    private let unit: ExportUnit
    private let settings: ExportSettings
    private let time: LocalTime
    private var day: String?
    /// True if an item of the day's list is above, so that the next item needs no empty line.
    private var isInList = false

    init(_ unit: ExportUnit, of export: ExportSettings) {
        (self.unit, settings) = (unit, export)
        time = LocalTime(zone: export.zone)
    }

    mutating func begin(part: Int) -> String {
        (day, isInList) = (nil, false)
        let number = part > 1 ? ", part \(part)" : ""
        return """
            # \(MarkdownText.line(unit.room)), \(unit.month.inWords)\(number)

            Account \(MarkdownText.line(settings.account))\(MarkdownText.line(settings.origin)). \
            Times are in \(MarkdownText.line(settings.zone.identifier)).

            """
    }

    mutating func end(part: Int, hasMore: Bool) -> String {
        hasMore ? "\n*Continues in part \(part + 1).*\n" : ""
    }

    mutating func render(_ item: ExportItem) -> String {
        switch item {
        case .gap(let gap):
            isInList = false
            let sentence = MessageRemarks.sentence(gap, time: time, shownDay: day)
            return "\n**\(MessageRemarks.label(gap)):** \(MarkdownText.escape(sentence))\n"
        case .message(let message, _):
            let moment = LocalMoment(message.time, in: settings.zone)
            return dayHeading(moment) + render(message, moment)
        }
    }

    private mutating func dayHeading(_ moment: LocalMoment) -> String {
        let next = moment.day
        guard next != day else { return "" }
        (day, isInList) = (next, false)
        return "\n## \(moment.dayInWords)\n"
    }

    private mutating func render(_ message: Message, _ moment: LocalMoment) -> String {
        let start = (isInList ? "" : "\n") + "- \(moment.second) "
        let standing = MessageRemarks.standingTopic(message, zone: settings.zone)
        let head = Self.head(message, standing?.before)
        let below = below(message)
        if let body = message.body, message.kind == .message, MessageRemarks.isCodeLike(body) {
            // Ends the list, so that the columns of the text are not moved.
            isInList = false
            return start + head + "\n\n" + MarkdownText.fenced(body) + (below.isEmpty ? "" : "\n" + below + "\n")
        }
        isInList = true
        let body = MarkdownText.lines(message.body ?? "", indent: "  ")
        let origin = standing.map { $0.after.isEmpty ? "" : "*\(MarkdownText.escape($0.after))*" } ?? ""
        let words = [head, Self.isReason(message) ? "(\(body))" : body, origin].filter { !$0.isEmpty }
            .joined(separator: " ")
        return start + words + (below.isEmpty ? "" : "\\\n  " + below) + "\n"
    }

    private static func isReason(_ message: Message) -> Bool {
        MessageRemarks.isReason(message.kind) && message.body?.isEmpty == false
    }

    /// Returns the text before the body. Only Scrollback's own words are in italics.
    ///
    /// - Parameter standing: The words before a topic that stood; nil for every other message.
    private static func head(_ message: Message, _ standing: String?) -> String {
        let who = "**\(MarkdownText.name(message.sender))**"
        let marks = remarks(message)
        let note = marks.isEmpty ? "" : " *(\(marks.joined(separator: "; ")))*"
        switch message.kind {
        case .message: return "\(who)\(note):"
        case .action: return "\\* \(who)\(note)"
        case .notice: return "\(who) *notice*\(note):"
        case .system: return "*system*\(note):"
        case .join, .leave, .kick, .rename, .topic, .mode, .invite:
            if let standing { return "*\(standing)*\(note)" }
            return "\(who) *\(MessageRemarks.eventWords(message) ?? "")*\(note)"
        }
    }

    private static func remarks(_ message: Message) -> [String] {
        var remarks = MessageRemarks.marks(message)
        if let reply = message.reply, reply.id != nil {
            remarks.append("in reply to " + MarkdownText.escape(ReplyText.excerpt(reply, width: 60)))
        }
        return remarks
    }

    /// Returns the name of a file as a link to its copy; a picture is shown. The bare name without a copy.
    private func name(_ file: Attachment) -> String {
        let name = MarkdownText.line(file.name)
        guard let path = settings.files?.path(of: file, from: unit.folder) else { return name }
        let link = "[\(name)](<\(HTMLText.address(path))>)"
        return HTMLFiles.isPicture(path) ? "!\(link)" : link
    }

    /// Returns the reason why an export with files has no copy of a file; else nothing.
    private func reason(_ file: Attachment) -> String {
        guard let files = settings.files, files.path(of: file, from: unit.folder) == nil else { return "" }
        return ", \(ExportedFiles.reason(file))"
    }

    /// Returns files and reactions, in one line.
    private func below(_ message: Message) -> String {
        let files = message.attachments.map { file in
            let size = file.size.map { ", \(ByteCount($0))" } ?? ""
            let place = BodyLink.isLink(file.path) ? " <\(file.path)>" : ""
            return "*file* \(name(file)) (\(file.kind.rawValue)\(size)\(reason(file)))\(place)"
        }
        let reactions = message.reactions.map { reaction in
            "*reaction* \(MarkdownText.line(reaction.text)) (\(MarkdownText.escape(MessageRemarks.people(reaction.by))))"
        }
        return (files + reactions).joined(separator: "; ")
    }
}
