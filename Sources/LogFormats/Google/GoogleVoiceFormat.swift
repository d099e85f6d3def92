import Bytes
import ChatModel

/// Google Voice in a download of Google Takeout: a page for each conversation of text messages, and for each call and
/// voicemail (`Calls/bob - Text - 2020-11-21T06_23_11Z.html`).
package struct GoogleVoiceFormat: LogFormat {
    package static let name = "google-voice"
    package static let programs = "Google Voice (Takeout, HTML)"
    /// 1 MiB: the styles of a page have some kilobytes, a message less.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let ownerWords = ["Me"]

    private let givenRoom: String?
    private let fileName: String
    private var group: String?

    // MARK: - Recognition

    private static let chat = "<div class=\"hChatLog hfeed\">"
    private static let call = "<div class=\"haudio\">"

    package static func recognises(_ source: LogSource) -> Bool {
        guard HTMLTag(rootOf: source.beginning)?.isNamed("html") ?? false else { return false }
        let bytes = source.beginning[...]
        return bytes.range(of: chat) != nil
            || bytes.range(of: call) != nil && bytes.range(of: "google.com/voice#") != nil
    }

    package static func cutter() -> any SourceCutter {
        PageCutter(marker: "<div class=\"message\">", maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        fileName = source.name
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            guard line.place != PageCutter.brokenPlace else {
                throw UnreadablePiece("the file ends in the middle of its page")
            }
            guard !line.isCut else { throw UnreadablePiece("longer than \(Self.maximumLine) bytes") }
            let part = GoogleVoicePart(line.bytes)
            guard line.place == PageCutter.headPlace else { return .message(try message(part)) }
            if part.people.count > 1 || fileName.hasPrefix("Group Conversation") {
                group = ExportText.name(part.people.joined(separator: ", "), "Group Conversation")
            }
            guard line.bytes.range(of: Self.call) != nil else { return .nothing }
            return .message(try call(part))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func message(_ part: GoogleVoicePart) throws(UnreadablePiece) -> ImportedMessage {
        guard let sender = part.isOwn ? "Me" : part.people.first ?? part.numbers.first else {
            throw UnreadablePiece("it names no sender")
        }
        let text = ExportText(lines: [part.text.trimmedOfBlanks])
        var imported = try blank(part, sender: sender)
        // The program writes this in place of a text.
        imported.body = text.string == "MMS Received" || text.string == "MMS Sent" ? nil : text.string
        imported.flags.formUnion(text.flags)
        imported.files = part.files.map { path in
            // A picture's name has no ending in the page.
            let endings =
                path.utf8.suffix(5).contains(Byte.dot) ? [] : [".jpg", ".png", ".gif", ".mp4", ".3gp", ".amr", ".vcf"]
            return ImportedMessage.File(path: path, copies: endings.isEmpty ? nil : endings.map { path + $0 })
        }
        return imported
    }

    private func call(_ part: GoogleVoicePart) throws(UnreadablePiece) -> ImportedMessage {
        let isOwn = part.labels.contains("placed")
        let other = part.people.first ?? part.numbers.first ?? "unknown number"
        var imported = try blank(part, sender: isOwn ? "Me" : other)
        imported.kind = .action
        let words =
            part.labels.contains("missed")
            ? "called: missed" : part.labels.contains("voicemail") ? "called: voicemail" : "called"
        let text = ExportText(lines: [part.seconds > 0 ? "\(words) (\(part.seconds) seconds)" : words, part.transcript])
        (imported.body, imported.files) = (text.string, part.files.map { ImportedMessage.File(path: $0) })
        return imported
    }

    private func blank(_ part: GoogleVoicePart, sender: String) throws(UnreadablePiece) -> ImportedMessage {
        guard let time = part.time.flatMap({ WrittenTime($0) })?.instants(in: .gmt).first else {
            throw UnreadablePiece("its time can't be read")
        }
        return ImportedMessage(
            room: givenRoom ?? group ?? roomName, roomKind: group == nil ? .direct : .group, kind: .message,
            sender: ExportText.name(sender), senderKey: sender == "Me" ? nil : ExportText.name(part.numbers.first),
            body: nil, time: time, resolution: .microsecond, flags: part.flags)
    }

    /// Returns `bob` for `bob - Text - 2020-11-21T06_23_11Z.html`.
    private var roomName: String {
        let bytes = Array(fileName.utf8)[...]
        let name = bytes.range(of: " - ").map { String(decoding: bytes[..<$0.lowerBound], as: UTF8.self) }
        return ExportText.name(name?.trimmedOfBlanks) ?? "unknown number"
    }
}
