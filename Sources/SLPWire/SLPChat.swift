/// A message, of history or heard live.
package struct SLPChat: Sendable, Hashable {
    /// The two have ids of their own, so that one of each may have the same.
    package enum Kind: Sendable, Hashable { case channel, direct }

    package var kind: Kind
    package var id: String
    /// The channel or the direct room, where the message says it.
    package var roomID: String?
    /// The channel's name as it was then.
    package var channelName: String?
    /// Nil where it has files only.
    package var content: String?
    package var createdAt: SLPTime
    /// Below the base, as given.
    package var files: [String]
    /// Who sent it; nil where there is no such account any more.
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
