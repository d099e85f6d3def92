import Bytes
import ChatModel
import Foundation

/// An element of `messages` of DiscordChatExporter's JSON, as versions 2.2x to 2.4x write it.
struct DiscordMessage: Decodable {
    struct User: Decodable {
        var id: JSONScalar
        var name: String?
        var nickname: String?
        var isBot: Bool?

        /// The author's name in the room at the time of the export.
        var shownName: String { ExportText.name(nickname, name, id.text) ?? "" }
    }

    struct Attachment: Decodable {
        var url: String
        var fileSizeBytes: JSONScalar?
    }

    struct Embed: Decodable {
        struct Named: Decodable { var name: String? }
        struct Field: Decodable { var name, value: String? }
        struct Footer: Decodable { var text: String? }
        var title, url, description: String?
        var author: Named?
        var fields: [Field]?
        var footer: Footer?

        var lines: [String?] {
            [author?.name, title, url, description]
                + (fields ?? []).map { [$0.name, $0.value].compactMap { $0 }.joined(separator: ": ") }
                + [footer?.text]
        }
    }

    struct Sticker: Decodable {
        var name: String?
        var sourceUrl: String?
    }

    struct Reaction: Decodable {
        struct Emoji: Decodable {
            var id: JSONScalar?
            var name: String?
        }
        var emoji: Emoji
        var count: JSONScalar?
        var users: [User]?
    }

    struct Reference: Decodable {
        var type: JSONScalar?
        var messageId, channelId: JSONScalar?
    }

    struct Forwarded: Decodable {
        var content: String?
        var attachments: [Attachment]?
        var embeds: [Embed]?
        var stickers: [Sticker]?
    }

    var id: JSONScalar
    var type: JSONScalar
    var timestamp: String
    var timestampEdited, callEndedTimestamp: String?
    var content: String?
    var author: User
    var attachments: [Attachment]?
    var embeds: [Embed]?
    var stickers: [Sticker]?
    var reactions: [Reaction]?
    var mentions: [User]?
    var reference: Reference?
    var forwardedMessage: Forwarded?

    /// The message's kind and lines. An event without a kind of its own becomes an action of its author.
    var kindAndLines: (kind: MessageKind, lines: [String?]) {
        let mentioned = (mentions ?? []).map(\.shownName).joined(separator: ", ")
        switch type.text {
        case "RecipientAdd", "1": return (.invite, [mentioned])
        case "RecipientRemove", "2":
            return mentions?.first?.id == author.id ? (.leave, []) : (.kick, [mentioned])
        case "Call", "3": return (.action, ["started a call" + (callMinutes.map { " of \($0) minutes" } ?? "")])
        case "ChannelNameChange", "4":
            return (.action, ["changed the channel name" + name(behind: "Changed the channel name", " to ")])
        case "ChannelIconChange", "5": return (.action, ["changed the channel icon"])
        case "ChannelPinnedMessage", "6": return (.action, ["pinned a message"])
        case "GuildMemberJoin", "7": return (.join, [])
        case "8", "9", "10", "11": return (.action, ["boosted the server"])
        case "12", "13", "14", "15", "16", "17":
            return (.action, [ExportText.name(content) ?? "did something of Discord's type \(type.text)"])
        case "ThreadCreated", "18": return (.action, ["started a thread" + name(behind: "Started a thread", ": ")])
        default: return (.message, lines)
        }
    }

    private var lines: [String?] {
        let forwarded = forwardedMessage.map { ["[forwarded]", $0.content] + Self.lines($0.embeds) } ?? []
        let content = content ?? ""
        // The embed of a person's message is the preview of a link.
        let isOwn = author.isBot == true || content.isEmpty
        let own = (embeds ?? []).filter { embed in isOwn && !(embed.url.map { content.contains($0) } ?? false) }
        let lines = forwarded + [content] + Self.lines(own)
        let isEmpty = lines.allSatisfy { ($0 ?? "").isEmpty }
        return isEmpty ? allStickers.map { $0.name.map { ":\($0):" } } : lines
    }

    private static func lines(_ embeds: [Embed]?) -> [String?] {
        (embeds ?? []).flatMap(\.lines)
    }

    /// Returns the name in a content, without the words that newer versions write before it.
    private func name(behind words: String, _ join: String) -> String {
        guard let content, !content.isEmpty else { return "" }
        let name = content.hasPrefix(words) ? content.dropFirst(words.count).drop { ": .".contains($0) } : content[...]
        return name.isEmpty ? "" : join + name
    }

    private var callMinutes: Int64? {
        guard let end = callEndedTimestamp.flatMap(WrittenTime.init)?.instants(in: .gmt).first,
            let start = WrittenTime(timestamp)?.instants(in: .gmt).first
        else { return nil }
        return max(0, end.since(start).components.seconds / 60)
    }

    var allStickers: [Sticker] { (stickers ?? []) + (forwardedMessage?.stickers ?? []) }
    var allAttachments: [Attachment] { (attachments ?? []) + (forwardedMessage?.attachments ?? []) }
}
