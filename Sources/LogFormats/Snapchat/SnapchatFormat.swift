import Bytes
import ChatModel

/// Snapchat's `chat_history.json`: a list of messages for each person or group. Before about 2023, a list for each kind
/// of messages, with `To` in those of one's own.
package struct SnapchatFormat: LogFormat {
    package static let name = "snapchat"
    package static let programs = "Snapchat (chat_history.json)"
    /// 1 MiB: a message has at most some kilobytes.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false
    package static let ownerWords = [OwnWord.sender]

    private var withoutText = 0

    private static let place = "*[]"

    package static func recognises(_ source: LogSource) -> Bool {
        let first = JSONPieceCutter.pieces(of: source.beginning, at: [place]).first
        guard let first, let json = try? JSONValue(object: first, limit: maximumLine) else { return false }
        return json["Media Type"] != nil && json["Created"] != nil && (json["From"] != nil || json["To"] != nil)
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: [place], maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) {}

    package var hasOwnRooms: Bool { true }
    package var assumptions: [String] {
        withoutText > 0 ? ["messages without their text, which Snapchat did not keep: \(withoutText)"] : []
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            return .message(try message(JSONValue(object: line, limit: Self.maximumLine), in: line.keys.first ?? ""))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func message(_ json: JSONValue, in key: String) throws(UnreadablePiece) -> ImportedMessage {
        let (from, to) = (ExportText.name(try json.text("From")), ExportText.name(try json.text("To")))
        let isOwn = try json["IsSender"] == nil ? from == nil : json.isTrue("IsSender")
        // The lists of early downloads have kinds for keys.
        let isEarly = json["IsSender"] == nil
        guard let partner = isEarly ? from ?? to : ExportText.name(key) else {
            throw UnreadablePiece("it names nobody")
        }
        let title = ExportText.name(try json.text("Conversation Title"))
        let isGroup = !isEarly && (title != nil || Self.isGroup(partner))
        let sender = isOwn ? OwnWord.sender : from ?? partner
        let type = try json.text("Media Type") ?? "TEXT"
        let content = try json.text("Content")
        // Early downloads have the marks of HTML: &#39;
        let early = try json.text("Text").map { HTMLText(Array($0.utf8)[...]).string }
        let text = ExportText(lines: [content ?? early])
        var imported = ImportedMessage(
            room: title ?? partner, roomKey: partner, roomKind: isGroup ? .group : .direct, kind: .message,
            sender: sender, senderKey: isOwn ? nil : from ?? partner, body: text.string,
            time: Timestamp(microseconds: 0),
            resolution: .second, flags: json.flags.union(text.flags))
        (imported.time, imported.resolution) = try Self.time(json)
        if type.hasPrefix("STATUS") {
            imported.kind = .action
            imported.body = text.string ?? Self.words(of: type)
        } else if let ids = ExportText.name(try json.text("Media IDs")) {
            let day = imported.time.description.prefix(10)
            for id in ids.split(separator: "|").prefix(Self.maximumFiles).map({ String($0).trimmedOfBlanks }) {
                let places = Self.endings.map { "chat_media/\(day)_\(id)\($0)" }
                imported.files.append(ImportedMessage.File(path: id, copies: places))
            }
        } else if text.string == nil {
            if type == "TEXT" { withoutText += 1 } else { imported.body = "[\(type.lowercased())]" }
        }
        return imported
    }

    /// More than a message can have.
    private static let maximumFiles = 100
    /// The endings in the folder `chat_media`, the usual ones first.
    private static let endings = [".jpg", ".mp4", ".webp", ".png", ".gif", ".heif", ".mov", ".unknown"]

    /// Returns the words for an event such as `STATUSERASEDMESSAGE`.
    private static func words(of type: String) -> String {
        switch type {
        case "STATUSERASEDMESSAGE": "deleted a message"
        case "STATUSERASEDSNAPMESSAGE": "deleted a snap"
        case "STATUSPARTICIPANTREMOVED": "a participant was removed"
        case "STATUSCONVERSATIONCAPTURESCREENSHOT": "took a screenshot"
        case "STATUSSAVETOCAMERAROLL": "saved to the camera roll"
        case "STATUSCALLMISSEDAUDIO", "STATUSCALLMISSEDVIDEO": "called: missed"
        case "STATUSCALLENDEDAUDIO", "STATUSCALLENDEDVIDEO": "ended a call"
        default: type == "STATUS" ? "changed the status" : type.dropFirst("STATUS".count).lowercased()
        }
    }

    /// Returns true for the UUID of a group.
    private static func isGroup(_ key: String) -> Bool {
        key.utf8.count == 36 && key.utf8.count { $0 == Byte.dash } == 4
    }

    /// Returns `Created(microseconds)`, which has milliseconds, else `Created`.
    private static func time(_ json: JSONValue) throws(UnreadablePiece) -> (Timestamp, TimeResolution) {
        if let number = try json.scalar("Created(microseconds)")?.integer, number > 0 {
            // Microseconds have 16 digits since 2001.
            return (
                number > 100_000_000_000_000 ? Timestamp(microseconds: number) : Timestamp(milliseconds: number),
                .microsecond
            )
        }
        let text = try json.required("Created").requiredText()
        if let time = text.hasSuffix(" UTC") ? WrittenTime(String(text.dropLast(4))) : WrittenTime(text),
            let instant = time.instants(in: .gmt).first
        {
            return (instant, .second)
        }
        // Wed Aug 19 12:00:00 UTC 2021
        if let early = CTime(Array(text.replacing(" UTC ", with: " ").utf8)[...]),
            let instant = LocalDay(early.date, zone: .gmt)?.instants(of: early.clock.seconds).first
        {
            return (instant, .second)
        }
        throw UnreadablePiece("its \"Created\" is not a time")
    }
}
