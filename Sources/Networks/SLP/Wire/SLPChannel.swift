/// A channel of a workspace.
package struct SLPChannel: Sendable, Hashable {
    package var id: String
    /// The present name, by which generation 1 addresses the channel; nil if the answer has none.
    package var name: String?
    package var description: String?
    package var ownerID: String?
    package var createdAt: SLPTime?
}

extension SLPChannel: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id = "channel_id"
        case ownerID = "owner_id"
        case name, description, createdAt
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        (name, description) = (fields.lenient(.name), fields.lenient(.description))
        (ownerID, createdAt) = (fields.lenientID(.ownerID), fields.lenientTime(.createdAt))
    }
}

/// A conversation with one other user.
package struct SLPDirectRoom: Sendable, Hashable {
    package var id: String
    package var createdAt: SLPTime?
    /// The other user; nil if the account no longer exists.
    package var partner: SLPUser?
}

extension SLPDirectRoom: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id = "room_id"
        case createdAt, user
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        (createdAt, partner) = (fields.lenientTime(.createdAt), fields.lenient(.user))
    }
}

/// The service's count of unread messages in a channel or a direct room.
package struct SLPUnread: Sendable, Hashable, Decodable {
    package var count: Int
}
