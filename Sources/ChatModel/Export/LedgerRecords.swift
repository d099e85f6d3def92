import FoundationEssentials

/// A span of a room's time, both ends included.
package struct SpanRecord: Sendable, Hashable, Codable {
    package var roomKey: String
    package var from: Timestamp
    /// The end of the span; for a span that still lasts, its session's last sign of life.
    package var to: Timestamp

    package init(roomKey: String, from: Timestamp, to: Timestamp) {
        (self.roomKey, self.from, self.to) = (roomKey, from, to)
    }

    private enum CodingKeys: String, CodingKey {
        case roomKey = "room_key"
        case from, to
    }
}

/// The reason for a gap.
package struct GapNoteRecord: Sendable, Hashable, Codable {
    package var roomKey: String
    /// The end of the span before the gap.
    package var from: Timestamp
    /// The raw value of the gap's reason.
    package var reason: String
    /// The number of failed attempts to connect again.
    package var attempts: Int64
    /// An ``UnfilledReason``; nil if nothing was tried.
    package var unfilled: String?
    /// The reason in the server's words; nil if it gave none.
    package var detail: String?

    package init(
        roomKey: String, from: Timestamp, reason: String, attempts: Int64, unfilled: String?, detail: String?
    ) {
        (self.roomKey, self.from, self.reason) = (roomKey, from, reason)
        (self.attempts, self.unfilled, self.detail) = (attempts, unfilled, detail)
    }

    private enum CodingKeys: String, CodingKey {
        case roomKey = "room_key"
        case from, reason, attempts, unfilled, detail
    }
}

/// The read marker of a room.
package struct ReadMarkerRecord: Sendable, Hashable, Codable {
    package var roomKey: String
    /// The id of the last message that was read.
    package var through: MessageID
    /// The time when the marker was set.
    package var setAt: Timestamp

    package init(roomKey: String, through: MessageID, setAt: Timestamp) {
        (self.roomKey, self.through, self.setAt) = (roomKey, through, setAt)
    }

    private enum CodingKeys: String, CodingKey {
        case roomKey = "room_key"
        case through
        case setAt = "set_at"
    }
}

/// A retraction, on networks that name the person.
package struct RetractionRecord: Sendable, Hashable, Codable {
    package var roomKey: String
    /// The network's id of the retracted message or reaction.
    package var remoteID: String
    private var userKey: String?
    private var userFormer: UserIdentity.Former?
    /// The time of the retraction.
    package var at: Timestamp
    package var reason: String?
    /// True if the text was removed; false when it was only marked as deleted.
    package var wipes: Bool

    package init(
        roomKey: String, remoteID: String, user: UserIdentity?, at: Timestamp, reason: String?, wipes: Bool
    ) {
        (self.roomKey, self.remoteID) = (roomKey, remoteID)
        (userKey, userFormer) = (user?.key, user?.former)
        (self.at, self.reason, self.wipes) = (at, reason, wipes)
    }

    /// The user who retracted the message or reaction; nil if unknown.
    package var user: UserIdentity? { UserIdentity(key: userKey, former: userFormer) }

    private enum CodingKeys: String, CodingKey {
        case roomKey = "room_key"
        case remoteID = "remote_id"
        case userKey = "user_key"
        case userFormer = "user_former"
        case at, reason, wipes
    }
}

/// A reaction to a message that isn't archived.
package struct ReactionRecord: Sendable, Hashable, Codable {
    package var roomKey: String
    /// The network's id of the message.
    package var remoteID: String
    package var reaction: ExactMessage.Reaction

    package init(roomKey: String, remoteID: String, reaction: ExactMessage.Reaction) {
        (self.roomKey, self.remoteID, self.reaction) = (roomKey, remoteID, reaction)
    }

    private enum CodingKeys: String, CodingKey {
        case roomKey = "room_key"
        case remoteID = "remote_id"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        roomKey = try values.decode(String.self, forKey: .roomKey)
        remoteID = try values.decode(String.self, forKey: .remoteID)
        reaction = try ExactMessage.Reaction(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(roomKey, forKey: .roomKey)
        try values.encode(remoteID, forKey: .remoteID)
        try reaction.encode(to: encoder)
    }
}

/// An event or a line that could not be stored or read.
package struct FailureRecord: Sendable, Hashable, Codable {
    /// The room's key; nil if the room is unknown.
    package var roomKey: String?
    /// The network's id; nil if there is none.
    package var remoteID: String?
    /// The bytes that were received.
    @Base64 package var payload: [UInt8]
    /// The reason, for people.
    package var reason: String
    /// The time of the first such event.
    package var firstAt: Timestamp
    /// The time of the last such event.
    package var lastAt: Timestamp
    /// The number of equal events.
    package var count: Int64

    package init(
        roomKey: String?, remoteID: String?, payload: [UInt8], reason: String, firstAt: Timestamp, lastAt: Timestamp,
        count: Int64
    ) {
        (self.roomKey, self.remoteID, self.payload, self.reason) = (roomKey, remoteID, payload, reason)
        (self.firstAt, self.lastAt, self.count) = (firstAt, lastAt, count)
    }

    private enum CodingKeys: String, CodingKey {
        case roomKey = "room_key"
        case remoteID = "remote_id"
        case payload, reason, count
        case firstAt = "first_at"
        case lastAt = "last_at"
    }
}

/// Bytes that are a base64 string in JSON.
@propertyWrapper
package struct Base64: Sendable, Hashable, Codable {
    package var wrappedValue: [UInt8]

    package init(wrappedValue: [UInt8]) {
        self.wrappedValue = wrappedValue
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Data(base64Encoded: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is not base64")
        }
        wrappedValue = [UInt8](bytes)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(wrappedValue).base64EncodedString())
    }
}
