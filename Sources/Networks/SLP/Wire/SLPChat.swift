/// A message, from history or received live.
package struct SLPChat: Sendable, Hashable {
    /// The kind of room. Each kind has its own ids, so messages of different kinds may have the same id.
    package enum Kind: Sendable, Hashable { case channel, direct }

    package var kind: Kind
    package var id: String
    /// The id of the channel or direct room; nil if the message doesn't have it.
    package var roomID: String?
    /// The channel's name at that time; nil if the message doesn't have it.
    package var channelName: String?
    /// The text; nil for a message with only files.
    package var content: String?
    package var createdAt: SLPTime
    /// The paths of its files below the base, as given.
    package var files: [String]
    /// The sender; nil if the account no longer exists.
    package var user: SLPUser?
}

extension SLPChat: Decodable {
    private enum CodingKeys: String, CodingKey {
        case chatID = "chat_id"
        case directID = "dm_id"
        case channelID = "channel_id"
        case roomID = "room_id"
        case channelName, content, createdAt, files, user
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        kind = fields.contains(.directID) ? .direct : .channel
        id = try fields.id(kind == .direct ? .directID : .chatID)
        roomID = fields.lenientID(kind == .direct ? .roomID : .channelID)
        channelName = fields.lenient(.channelName)
        content = try fields.decodeIfPresent(String.self, forKey: .content)
        createdAt = try fields.time(.createdAt)
        files = try fields.decodeIfPresent([String?].self, forKey: .files)?.compactMap(\.self) ?? []
        user = fields.lenient(.user)
    }
}
