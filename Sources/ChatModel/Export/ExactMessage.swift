/// The facts of a message that a full export has and a page of history lacks (`docs/json.md`). The message's rows can
/// be restored from both together.
///
/// As JSON it shares the keys of a message's line, but leaves out null ones.
package struct ExactMessage: Sendable, Hashable, Codable {
    /// A reaction, present or taken back.
    package struct Reaction: Sendable, Hashable, Codable {
        /// An emoji, or its name such as `:wave:`.
        package var text: String
        package var user: UserIdentity
        /// The time when the reaction was last given.
        package var at: Timestamp
        /// The time when the reaction was taken back; nil if it was not.
        package var removedAt: Timestamp?
        /// The network's id of the reaction itself; nil if it has none.
        package var ownID: String?

        package init(text: String, user: UserIdentity, at: Timestamp, removedAt: Timestamp?, ownID: String?) {
            (self.text, self.user, self.at, self.removedAt, self.ownID) = (text, user, at, removedAt, ownID)
        }

        private enum CodingKeys: String, CodingKey {
            case text
            case userKey = "user_key"
            case userFormer = "user_former"
            case at
            case removedAt = "removed_at"
            case ownID = "own_id"
        }

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            text = try values.decode(String.self, forKey: .text)
            user = try values.user(key: .userKey, former: .userFormer)
            at = try values.decode(Timestamp.self, forKey: .at)
            removedAt = try values.decodeIfPresent(Timestamp.self, forKey: .removedAt)
            ownID = try values.decodeIfPresent(String.self, forKey: .ownID)
        }

        package func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(text, forKey: .text)
            try values.encode(user, key: .userKey, former: .userFormer)
            try values.encode(at, forKey: .at)
            try values.encodeIfPresent(removedAt, forKey: .removedAt)
            try values.encodeIfPresent(ownID, forKey: .ownID)
        }
    }

    /// A file of the message.
    package struct File: Sendable, Hashable, Codable {
        /// The place of the file, as the network gives it.
        package var path: String
        /// The number of its bytes; nil if unknown.
        package var bytes: Int64?
        /// The SHA-256 of its bytes, in hexadecimal; nil if the archive doesn't have them.
        package var sha256: String?
        /// The raw value of an ``Attachment/State``.
        package var state: String

        /// The path of its bytes in an export with files; nil without a hash.
        package var exportedPath: String? {
            sha256.flatMap { $0.utf8.count == 64 ? Self.exportedPath(sha256: $0) : nil }
        }

        /// Returns the path of a file's bytes in an export with files.
        package static func exportedPath(sha256: String) -> String {
            "\(exportedFolder)/\(sha256.prefix(2))/\(sha256.dropFirst(2))"
        }

        /// The folder of the files in an export with files.
        package static let exportedFolder = "attachments"

        package init(path: String, bytes: Int64?, sha256: String?, state: String) {
            (self.path, self.bytes, self.sha256, self.state) = (path, bytes, sha256, state)
        }
    }

    /// The network's claimed time; nil if there was none, or when it equals the id's time.
    package var sourceTime: Timestamp?
    /// The room's identity in the account; empty for a server's one room.
    package var roomKey: String
    package var roomKind: RoomReference.Kind
    /// The sender; nil for `system`.
    package var sender: UserIdentity?
    /// True if the account itself sent it.
    package var senderIsSelf: Bool
    /// The former texts, oldest first, without the present one.
    package var versions: [ImportedMessage.Version]
    /// The reactions in order of time and text.
    package var reactions: [Reaction]
    /// The files in the order of their arrival.
    package var files: [File]

    package init(
        sourceTime: Timestamp?, roomKey: String, roomKind: RoomReference.Kind, sender: UserIdentity?,
        senderIsSelf: Bool,
        versions: [ImportedMessage.Version] = [], reactions: [Reaction] = [], files: [File] = []
    ) {
        (self.sourceTime, self.roomKey, self.roomKind) = (sourceTime, roomKey, roomKind)
        (self.sender, self.senderIsSelf) = (sender, senderIsSelf)
        (self.versions, self.reactions, self.files) = (versions, reactions, files)
    }

    private enum CodingKeys: String, CodingKey {
        case sourceTime = "source_time"
        case roomKey = "room_key"
        case roomKind = "room_kind"
        case senderKey = "sender_key"
        case senderFormer = "sender_former"
        case senderIsSelf = "sender_is_self"
        case versions
        case reactions = "reaction_list"
        case files
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        sourceTime = try values.decodeIfPresent(Timestamp.self, forKey: .sourceTime)
        roomKey = try values.decode(String.self, forKey: .roomKey)
        roomKind = try values.decodeIfPresent(RoomReference.Kind.self, forKey: .roomKind) ?? .channel
        sender = UserIdentity(
            key: try values.decodeIfPresent(String.self, forKey: .senderKey),
            former: try values.decodeIfPresent(UserIdentity.Former.self, forKey: .senderFormer))
        senderIsSelf = try values.decodeIfPresent(Bool.self, forKey: .senderIsSelf) ?? false
        versions = try values.decodeIfPresent([ImportedMessage.Version].self, forKey: .versions) ?? []
        reactions = try values.decodeIfPresent([Reaction].self, forKey: .reactions) ?? []
        files = try values.decodeIfPresent([File].self, forKey: .files) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(sourceTime, forKey: .sourceTime)
        try values.encode(roomKey, forKey: .roomKey)
        try values.encode(roomKind, forKey: .roomKind)
        try values.encodeIfPresent(sender?.key, forKey: .senderKey)
        try values.encodeIfPresent(sender?.former, forKey: .senderFormer)
        try values.encode(senderIsSelf, forKey: .senderIsSelf)
        try values.encode(versions, forKey: .versions)
        try values.encode(reactions, forKey: .reactions)
        try values.encode(files, forKey: .files)
    }
}

extension RoomReference.Kind: Codable {}

extension KeyedDecodingContainer {
    func user(key: Key, former: Key) throws -> UserIdentity {
        let user = UserIdentity(
            key: try decodeIfPresent(String.self, forKey: key),
            former: try decodeIfPresent(UserIdentity.Former.self, forKey: former))
        if let user { return user }
        throw DecodingError.keyNotFound(
            key, .init(codingPath: codingPath, debugDescription: "neither a key nor a former name"))
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ user: UserIdentity, key: Key, former: Key) throws {
        try encodeIfPresent(user.key, forKey: key)
        try encodeIfPresent(user.former, forKey: former)
    }
}
