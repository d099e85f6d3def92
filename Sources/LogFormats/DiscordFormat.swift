import Bytes
import ChatModel
import Foundation

/// The JSON of DiscordChatExporter (versions 2.2x to 2.4x): one channel a file, with its messages in order of time.
package struct DiscordFormat: LogFormat {
    package static let name = "discord"
    /// 4 MiB: a message has some kilobytes, and about 400 bytes for each user who reacted to it.
    package static let maximumLine = 4 * 1024 * 1024
    package static let hasLocalTimes = false

    private struct Channel: Decodable {
        var id: JSONScalar
        var type: JSONScalar?
        var name: String?
    }

    private let givenRoom: String?
    private let zone: TimeZone
    private var channel: Channel?
    private var omissions = ExportOmissions()

    package static func recognises(_ source: LogSource) -> Bool {
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: ["guild.id", "channel"])
        return pieces.contains { $0.place == "guild.id" }
            && pieces.contains { $0.place == "channel" && (try? JSONPiece<Channel>($0, limit: maximumLine)) != nil }
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: ["channel", "messages[]"], maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        zone = source.zone
    }

    package var assumptions: [String] { omissions.assumptions(zone: zone.identifier) }

    package mutating func read(_ line: LogLine) -> ParsedLine {
        do {
            guard line.place != "channel" else {
                channel = try JSONPiece<Channel>(line, limit: Self.maximumLine).value
                return .nothing
            }
            return .message(try message(JSONPiece<DiscordMessage>(line, limit: Self.maximumLine)))
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }

    private mutating func message(_ piece: JSONPiece<DiscordMessage>) throws(UnreadablePiece) -> ImportedMessage {
        let message = piece.value
        guard let room = givenRoom ?? channel.flatMap({ ExportText.name($0.name, $0.id.text) }) else {
            throw UnreadablePiece("the export names no channel before it")
        }
        guard let id = message.id.id else { throw UnreadablePiece("its \"id\" is empty") }
        let time = try instant(message.timestamp, "timestamp")
        let edited = try message.timestampEdited.map { text throws(UnreadablePiece) in
            try instant(text, "timestampEdited")
        }
        let (kind, lines) = message.kindAndLines
        let text = ExportText(lines: lines)
        return ImportedMessage(
            room: room, roomKey: givenRoom == nil ? channel?.id.id : nil,
            isDirect: channel?.type?.text == "DirectTextChat", kind: kind, sender: message.author.shownName,
            senderKey: message.author.id.id, body: text.string, time: time, resolution: .microsecond, remoteID: id,
            flags: piece.flags.union(text.flags), editedAt: edited, replyTo: replied(by: message),
            files: files(of: message), reactions: reactions(to: message))
    }

    private mutating func instant(_ text: String, _ key: String) throws(UnreadablePiece) -> Timestamp {
        guard let time = WrittenTime(text), let instant = time.instants(in: zone).first else {
            throw UnreadablePiece("its \"\(key)\" is not a time")
        }
        if time.offset == nil { omissions.countTime() }
        return instant
    }

    /// Returns the id of the message that this one answers. A reference to a forwarded message or to another channel is
    /// no answer.
    private func replied(by message: DiscordMessage) -> String? {
        guard let reference = message.reference, reference.type?.text != "Forward",
            reference.channelId?.id == nil || channel == nil || reference.channelId == channel?.id
        else { return nil }
        return reference.messageId?.id
    }

    private func files(of message: DiscordMessage) -> [ImportedMessage.File] {
        let attachments = message.allAttachments.map {
            ImportedMessage.File(path: Self.path($0.url), size: $0.fileSizeBytes?.integer)
        }
        let stickers = message.allStickers.compactMap {
            $0.sourceUrl.map { ImportedMessage.File(path: Self.path($0)) }
        }
        return (attachments + stickers).filter { !$0.path.isEmpty }
    }

    /// Returns the address; one of Discord's own without its signature, which differs in each export and is valid for a
    /// day.
    private static func path(_ url: String) -> String {
        let isDiscords = ["https://cdn.discordapp.com/", "https://media.discordapp.net/"].contains(where: url.hasPrefix)
        return (isDiscords ? String(url.prefix { $0 != "?" }) : url).withoutNUL
    }

    private mutating func reactions(to message: DiscordMessage) -> [ImportedMessage.Reaction] {
        var reactions: [ImportedMessage.Reaction] = []
        for reaction in message.reactions ?? [] {
            let users = reaction.users ?? []
            omissions.count(reactions: reaction.count?.integer, named: users.count)
            let name = ExportText.name(reaction.emoji.name, reaction.emoji.id?.text) ?? "?"
            let text = reaction.emoji.id?.id == nil ? name : ":\(name):"
            reactions += users.map {
                ImportedMessage.Reaction(text: text, user: $0.shownName, userKey: $0.id.id)
            }
        }
        return reactions
    }
}

extension JSONPieceCutter {
    /// Returns the complete pieces at the beginning of a source.
    static func pieces(of beginning: [UInt8], at places: [String]) -> [LogLine] {
        var pieces: [LogLine] = []
        var cutter = JSONPieceCutter(places: places, maximumPiece: beginning.count)
        cutter.read(beginning[...]) { if $0.place != brokenPlace { pieces.append($0) } }
        return pieces
    }
}
