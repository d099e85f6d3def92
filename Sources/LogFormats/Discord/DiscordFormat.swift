import Bytes
import ChatModel

/// The JSON of DiscordChatExporter (versions 2.2x to 2.4x): one channel a file, with its messages in order of time.
package struct DiscordFormat: LogFormat {
    package static let name = "discord"
    package static let programs = "Discord (DiscordChatExporter)"
    /// 4 MiB: a message has some kilobytes, and about 400 bytes for each user who reacted to it.
    package static let maximumLine = 4 * 1024 * 1024
    package static let hasLocalTimes = false

    private struct Channel {
        let id: JSONScalar
        let type: JSONScalar?
        let name: String?
        /// The topic at the time of the export.
        let topic: String?

        init(_ json: JSONValue) throws(UnreadablePiece) {
            id = try json.required("id").scalar()
            type = try json.scalar("type")
            name = try json.text("name")
            topic = ExportText(lines: [try json.text("topic")]).string
        }

        /// A server has channels and threads. `ChannelKind` of DiscordChatExporter 2.46 has two others.
        var kind: RoomReference.Kind {
            switch type?.text {
            case "DirectTextChat": .direct
            case "DirectGroupTextChat": .group
            default: .channel
            }
        }
    }

    private let givenRoom: String?
    private let zone: Zone
    private var channel: Channel?
    /// The place of the server's picture.
    private var icon: String?
    private var exportedAt: Timestamp?
    private var roles = DiscordRoles()
    private var omissions = ExportOmissions()

    package static func recognises(_ source: LogSource) -> Bool {
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: ["guild.id", "channel"])
        return pieces.contains { $0.place == "guild.id" }
            && pieces.contains { $0.place == "channel" && (try? channel($0)) != nil }
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: ["guild.iconUrl", "channel", "exportedAt", "messages[]"], maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        zone = source.zone
    }

    package var assumptions: [String] { omissions.assumptions(zone: zone.identifier) + roles.assumptions }

    package var unknownKinds: UnknownKinds { omissions.kinds }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard line.place != "channel" else {
                channel = try Self.channel(line)
                return .nothing
            }
            guard line.place != "guild.iconUrl" else {
                icon = ExportText.name(try JSONValue(line, limit: Self.maximumLine).text)
                return .nothing
            }
            guard line.place != "exportedAt" else {
                let time = try JSONValue(line, limit: Self.maximumLine).text.flatMap { WrittenTime($0) }
                exportedAt = time?.instants(in: zone).first
                return .nothing
            }
            return .message(try message(JSONValue(object: line, limit: Self.maximumLine)))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private static func channel(_ line: LogLine) throws(UnreadablePiece) -> Channel {
        try Channel(JSONValue(object: line, limit: maximumLine))
    }

    private mutating func message(_ json: JSONValue) throws(UnreadablePiece) -> ImportedMessage {
        let message = try DiscordMessage(json)
        guard let room = givenRoom ?? channel.flatMap({ ExportText.name($0.name, $0.id.text) }) else {
            throw UnreadablePiece("the export names no channel before it")
        }
        guard let id = message.id.id else { throw UnreadablePiece("its \"id\" is empty") }
        let time = try instant(message.timestamp, "timestamp")
        let edited = try message.timestampEdited.map { text throws(UnreadablePiece) in
            try instant(text, "timestampEdited")
        }
        let (kind, lines) = try message.kindAndLines
        try roles.note(json)
        let text = ExportText(lines: lines.map(roles.naming))
        let files = try files(of: message)
        if kind == .message, text.string == nil, files.isEmpty {
            for kind in message.unknownKinds { omissions.count(kind: kind) }
        }
        let hasPin = json["isPinned"]?.isNull == false
        var flags = json.flags.union(text.flags)
        if hasPin, try json.isTrue("isPinned") { flags.insert(.pinned) }
        if message.author.isBot { flags.insert(.bot) }
        var imported = ImportedMessage(
            room: room, roomKey: givenRoom == nil ? channel?.id.id : nil,
            roomKind: channel?.kind ?? .channel, kind: kind, sender: message.author.shownName,
            senderKey: message.author.id.id, body: text.string, time: time, resolution: .microsecond, remoteID: id,
            flags: flags, editedAt: edited,
            replyTo: try replied(by: message), files: files, reactions: try reactions(to: message))
        let picture = message.author.picture.map { ImportedMessage.File(path: Self.path($0)) }
        let facts = ImportedFacts(
            picture: picture, description: channel?.topic,
            roomPicture: icon.map { ImportedMessage.File(path: Self.path($0)) })
        imported.facts = facts.isEmpty ? nil : facts
        imported.pinsAt = hasPin ? exportedAt : nil
        return imported
    }

    private mutating func instant(_ text: String, _ key: String) throws(UnreadablePiece) -> Timestamp {
        guard let time = WrittenTime(text), let instant = time.instants(in: zone).first else {
            throw UnreadablePiece("its \"\(key)\" is not a time")
        }
        if time.offset == nil { omissions.countTime() }
        return instant
    }

    /// Returns the id of the message that this one replies to; nil if that message is in another channel.
    private func replied(by message: DiscordMessage) throws(UnreadablePiece) -> String? {
        guard let answered = try message.answered,
            answered.channel == nil || channel == nil || answered.channel == channel?.id.text
        else { return nil }
        return answered.message
    }

    private func files(of message: DiscordMessage) throws(UnreadablePiece) -> [ImportedMessage.File] {
        try message.files.map { ImportedMessage.File(path: Self.path($0.address), size: $0.size) }
            .filter { !$0.path.isEmpty }
    }

    /// Returns the address; one of Discord's own without its signature, which differs in each export and is valid for a
    /// day.
    static func path(_ url: String) -> String {
        let isDiscords = ["https://cdn.discordapp.com/", "https://media.discordapp.net/"].contains(where: url.hasPrefix)
        return (isDiscords ? String(url.prefix { $0 != "?" }) : url).withoutNUL
    }

    private mutating func reactions(to message: DiscordMessage) throws(UnreadablePiece) -> [ImportedMessage.Reaction] {
        var reactions: [ImportedMessage.Reaction] = []
        for reaction in try message.reactions {
            let users = try reaction.objects("users")
            omissions.count(reactions: try reaction.scalar("count")?.integer, named: users.count)
            let emoji = try reaction.required("emoji")
            let id = try emoji.scalar("id")
            let name = ExportText.name(try emoji.text("name"), id?.text) ?? "?"
            let text = id?.id == nil ? name : ":\(name):"
            for user in users {
                let user = try DiscordMessage.User(user)
                reactions.append(ImportedMessage.Reaction(text: text, user: user.shownName, userKey: user.id.id))
            }
        }
        return reactions
    }
}

extension JSONPieceCutter {
    /// Returns the complete pieces at the beginning of a source; none for a text that only contains JSON, such as a log
    /// in which somebody pastes it.
    static func pieces(of beginning: [UInt8], at places: [String]) -> [LogLine] {
        guard beginsDocument(beginning) else { return [] }
        var pieces: [LogLine] = []
        var cutter = JSONPieceCutter(places: places, maximumPiece: beginning.count)
        cutter.cutLines(beginning[...]) { if $0.place != brokenPlace { pieces.append($0) } }
        return pieces
    }

    /// Returns true if the bytes begin an object, or a list of objects.
    private static func beginsDocument(_ bytes: [UInt8]) -> Bool {
        let text = bytes.drop { Byte.isJSONSpace($0) || JSONCutter.byteOrderMark.contains($0) }
        guard text.first == Byte.listStart else { return text.first == Byte.objectStart }
        return text.dropFirst().first { !Byte.isJSONSpace($0) } == Byte.objectStart
    }
}
