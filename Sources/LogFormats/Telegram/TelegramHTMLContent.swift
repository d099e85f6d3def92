import Bytes
import ChatModel

/// The content of a message of Telegram Desktop's HTML export in words, as the import of result.json has it.
struct TelegramHTMLContent {
    let kind: MessageKind
    let lines: [String]

    init(_ message: TelegramHTMLMessage) {
        if let call = message.media.first(where: { $0.kind == "media_call" }) {
            (kind, lines) = (.action, [Self.call(call.status)])
            return
        }
        var lines = [message.text] + message.poll + message.media.map(Self.line)
        if message.text.isEmpty { lines += message.media.map(Self.emoji) }
        (kind, self.lines) = (.message, lines)
    }

    /// Returns `called: hangup, 35 seconds` for `Outgoing (35 seconds)`.
    private static func call(_ status: String) -> String {
        let seconds = status.utf8.split(separator: UInt8(ascii: "(")).dropFirst().first.map {
            String(decoding: $0.prefix { $0 != UInt8(ascii: ")") }, as: UTF8.self)
        }
        if let seconds { return "called: hangup, \(seconds)" }
        return switch status {
        case "Missed", "Cancelled": "called: missed"
        case "Declined": "called: busy"
        default: "called"
        }
    }

    /// Returns the line of a contact, a place, a game or an invoice; empty for anything else.
    private static func line(of media: TelegramHTMLMessage.Media) -> String {
        switch media.kind {
        case "media_contact":
            let card = " - vCard"
            let phone = media.status.hasSuffix(card) ? String(media.status.dropLast(card.count)) : media.status
            return [media.title, phone].filter { !$0.isEmpty }.joined(separator: " ")
        case "media_location", "media_live_location": return media.status
        case "media_venue":
            return [media.title, media.description, coordinates(in: media.address)].filter { !$0.isEmpty }
                .joined(separator: ", ")
        case "media_game", "media_invoice": return media.title
        default: return ""
        }
    }

    /// Returns `52.5, 13` for `https://maps.google.com/maps?q=52.5,13&ll=52.5,13&z=16`.
    private static func coordinates(in address: String?) -> String {
        guard let query = address.flatMap({ Array($0.utf8)[...].parted(by: "?q=")?.right }) else { return "" }
        let numbers = query.prefix { $0 != UInt8(ascii: "&") }.split(separator: Byte.comma)
        return numbers.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
    }

    /// Returns a sticker's emoji, if the page has it: `👋, 12.3 KB`.
    private static func emoji(of media: TelegramHTMLMessage.Media) -> String {
        guard media.title == "Sticker" else { return "" }
        let emoji = media.status.split(separator: ",").first.map(String.init) ?? ""
        return emoji.utf8.contains(where: { $0 < 0x80 }) ? "" : emoji
    }

    /// Returns the path of a file in the export, or its name if the export lacks the file; nil for media that is not a
    /// file.
    static func file(of media: TelegramHTMLMessage.Media) -> (path: String, isThere: Bool)? {
        switch media.kind {
        case "media_contact": break
        case "media_call", "media_location", "media_live_location", "media_venue", "media_game", "media_invoice":
            return nil
        default: break
        }
        if var path = media.address, !path.isEmpty {
            while path.hasPrefix("../") { path = String(path.dropFirst(3)) }
            return (path, true)
        }
        guard media.kind != "media_contact" else { return nil }
        return (names[media.title] ?? ExportText.name(media.title) ?? "file", false)
    }

    /// The names that result.json has for files without one.
    private static let names = [
        "Photo": "photo", "Self-destructing photo": "photo", "Sticker": "sticker", "Animation": "animation",
        "Video file": "video_file", "Self-destructing video": "video_file", "Video message": "video_message",
        "Voice message": "voice_message", "Audio file": "audio_file", "File": "file",
    ]
}
