import ChatModel
import Foundation
import TestSupport

@testable import Exporting
@testable import Rendering

func exportUnit(
    _ room: String = "#example", folder: String = "example-1", previous: CalendarMonth? = nil,
    next: CalendarMonth? = nil
) -> ExportUnit {
    ExportUnit(
        roomID: 1, room: room, folder: folder, month: CalendarMonth(year: 2026, month: 11), previous: previous,
        next: next)
}

func exportSettings(_ zoneName: String = "Europe/Berlin") throws -> ExportSettings {
    ExportSettings(account: "demo", network: "irc", zone: try zone(zoneName))
}

/// The files of a month, cut where the next item would not fit.
///
/// What an item is rendered as depends on where it stands: one that does not fit is rendered again, by the format as it
/// was, in the next part.
func exported<Format: ExportFormat>(
    _: Format.Type, _ items: [ExportItem], unit: ExportUnit = exportUnit(), settings: ExportSettings
) -> [String] {
    var format = Format(unit, of: settings)
    var files: [String] = []
    var text = format.begin(part: 1)
    for item in items {
        var trial = format
        let rendered = trial.render(item)
        var ending = trial
        let size = text.utf8.count + rendered.utf8.count + ending.end(part: files.count + 1, hasMore: true).utf8.count
        if let limit = Format.partLimit, size > limit {
            files.append(text + format.end(part: files.count + 1, hasMore: true))
            text = format.begin(part: files.count + 1)
            text += format.render(item)
        } else {
            text += rendered
            format = trial
        }
    }
    return files + [text + format.end(part: files.count + 1, hasMore: false)]
}

func exported<Format: ExportFormat>(_ format: Format.Type, _ messages: Message...) throws -> String {
    exported(format, messages.map { .message($0) }, settings: try exportSettings()).joined()
}

/// Texts made of what a format could take for its own.
struct HostileTexts {
    private static let parts = [
        "<", ">", "&", "\"", "'", "</div>", "<script>alert(1)</script>", "<!--", "-->", "]]>", "&lt;", "&#60;", "\n",
        "\r\n",
        "\t", "\u{0}", "\u{1B}[31m", "\u{202E}", "\u{2028}", "\u{301}", "\u{338}", "http://a.example/",
        "https://b.example/x'y",
        "javascript:alert(1)", "data:text/html,x", "irc://c", "://", "@alice", "@", "`", "```", "~~~", "*", "**", "_",
        "__",
        "[a](b)", "![", "#", "# ", "- ", "1. ", "---", "===", "|", "||", "\\", "$", "+", "=", " ", "    ", "민수", "👨‍👩‍👧",
        "שלום",
        "06:23:11 <bob> hi", "-!- eve has joined", "!!! gap", "--- Saturday 2026-11-21 +01:00", "www.example.org",
        "word",
    ]

    var random: SeededGenerator

    mutating func text(upTo count: Int = 12) -> String {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in part() }.joined()
    }

    private mutating func part() -> String {
        Self.parts.randomElement(using: &random) ?? ""
    }

    /// A minute after `time`, of any kind, with anything that it may have.
    mutating func message(after time: Timestamp, bodyParts: Int = 12) -> Message {
        let time = time.advanced(by: .seconds(Int64.random(in: 1...40_000, using: &random)))
        var message = ScrollbackTests.message(text(upTo: bodyParts), at: time, kind: kind(), sender: text(upTo: 4))
        if Bool.random(using: &random) { message.editedAt = time }
        if Bool.random(using: &random) { message.deletedAt = time }
        if Bool.random(using: &random) {
            message.reply = Message.Reply(remoteID: text(), id: MessageID(time), sender: text(), body: text())
        }
        message.attachments = (0..<Int.random(in: 0...2, using: &random)).map { _ in Attachment(path: text(), size: 1) }
        message.reactions = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            Message.Reaction(text: text(upTo: 2), by: [text(upTo: 2), text(upTo: 2)])
        }
        return message
    }

    private mutating func kind() -> MessageKind {
        MessageKind.allCases.randomElement(using: &random) ?? .message
    }
}
