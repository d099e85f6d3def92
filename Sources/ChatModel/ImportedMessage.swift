/// A message of a log or an export, on its way into the archive.
package struct ImportedMessage: Sendable, Hashable {
    /// A former text, and the time when it became the message's text.
    package struct Version: Sendable, Hashable, Codable {
        package var at: Timestamp
        package var body: String?

        package init(at: Timestamp, body: String?) {
            (self.at, self.body) = (at, body)
        }
    }

    /// A reaction to the message.
    package struct Reaction: Sendable, Hashable, Codable {
        /// An emoji, or its name such as `:wave:`.
        package var text: String
        /// The user's name.
        package var user: String
        /// The source's id of the user; nil if it has only names.
        package var userKey: String?
        /// The time of the reaction; nil if unknown.
        package var at: Timestamp?

        package init(text: String, user: String, userKey: String? = nil, at: Timestamp? = nil) {
            (self.text, self.user, self.userKey, self.at) = (text, user, userKey, at)
        }
    }

    /// What an import found out about a message of a log before it is stored (`docs/import.md`).
    package enum Alignment: Sendable, Hashable, Codable {
        /// It is the stored message with this id, whose name of the sender may be another one.
        case stored(id: Int64)
        /// It is no stored message, whatever their times and texts are.
        case new
    }

    /// How a source names its owner.
    package enum Owner: String, Sendable, Hashable, Codable {
        /// By a word, such as `나`.
        case word
        /// By a name.
        case name
    }

    /// A file of the message.
    package struct File: Sendable, Hashable, Codable {
        /// The place of the file: a URL, or a path in the export.
        package var path: String
        /// The number of its bytes; nil if unknown.
        package var size: Int64?
        /// The SHA-256 of its bytes, in hexadecimal, if the account's folder has them; nil otherwise.
        package var sha256: String?
        /// The other paths at which the export may have the file, such as a copy beside the address in ``path``; nil if
        /// there is none. Not stored.
        package var copies: [String]?

        package init(path: String, size: Int64? = nil, sha256: String? = nil, copies: [String]? = nil) {
            (self.path, self.size, self.sha256, self.copies) = (path, size, sha256, copies)
        }
    }

    /// The room's name.
    package var room: String
    /// The source's id of the room, independent of its name; nil if it has only names.
    package var roomKey: String?
    /// The kind of the room, as the source says it; `channel` if it does not say it.
    package var roomKind: RoomReference.Kind
    package var kind: MessageKind
    /// The sender's name; nil for `system`.
    package var sender: String?
    /// The source's id of the sender, which distinguishes people with the same name; nil if it has only names.
    package var senderKey: String?
    /// Set for a message of the account's own person, by the words and names that are known of them.
    package var own: Owner?
    /// The text, or the reason, topic or new name; nil if there is none.
    package var body: String?
    /// The time that the source gives, rounded down to its resolution: `10:05` is 10:05:00.
    package var time: Timestamp
    /// The resolution of `time`.
    package var resolution: TimeResolution
    /// The message's id in the archive from which a full export comes. For other sources, the time by the source's
    /// order; nil if that is the same as `time`.
    package var place: Timestamp?
    /// The network's id of the message; nil if it has none.
    package var remoteID: String?
    /// The time when the exporting archive received the message; nil for a log, which counts as received when it is
    /// imported.
    package var receivedAt: Timestamp?
    package var flags: MessageFlags
    /// The time when the message got its present text; nil for the original text.
    package var editedAt: Timestamp?
    /// The time when the message was deleted; nil if it was not.
    package var deletedAt: Timestamp?
    /// For a deleted message without a text and an id: the number of messages that its sender wrote before it in the same
    /// minute of the source. Identifies the message that an earlier export has with its text; nil if unknown.
    package var placeOfDeleted: Int?
    /// The remote id of the message that this one replies to, in the same room; nil if there is none.
    package var replyTo: String?
    /// The former texts in order of time, the original first if the source has it. Only for edited messages.
    package var versions: [Version] = []
    package var files: [File] = []
    /// The reactions; only for a message with a remote id.
    package var reactions: [Reaction] = []
    /// The time of the export, if it says of every message whether it is pinned, so that a message without the flag is
    /// not pinned; nil for other sources.
    package var pinsAt: Timestamp?
    /// The further facts of a full export, to restore the message's rows; nil for other sources. Versions, files and
    /// reactions are here instead of in the properties above.
    package var exact: ExactMessage? {
        get { boxedExact?.value }
        set { boxedExact = newValue.map(Boxed.init) }
    }
    private var boxedExact: Boxed<ExactMessage>?
    /// The pictures and other facts of the sender and the room that the source has; nil if it has none.
    package var facts: ImportedFacts? {
        get { boxedFacts?.value }
        set { boxedFacts = newValue.map(Boxed.init) }
    }
    private var boxedFacts: Boxed<ImportedFacts>?
    /// The source's bytes if they are not valid UTF-8, because the texts then lack a part of them; nil otherwise.
    package var raw: [UInt8]?
    /// The message's number among the equal messages of the source. The reader of the whole source sets it.
    package var occurrence = Occurrence()
    /// Nil if the store finds out by itself.
    package var alignment: Alignment?

    package init(
        room: String, roomKey: String? = nil, roomKind: RoomReference.Kind = .channel, kind: MessageKind,
        sender: String?, senderKey: String? = nil, body: String?, time: Timestamp, resolution: TimeResolution,
        place: Timestamp? = nil, remoteID: String? = nil, receivedAt: Timestamp? = nil, flags: MessageFlags = [],
        editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil, replyTo: String? = nil, versions: [Version] = [],
        files: [File] = [], reactions: [Reaction] = []
    ) {
        (self.room, self.roomKey, self.roomKind) = (room, roomKey, roomKind)
        self.kind = kind
        (self.sender, self.senderKey) = (sender, senderKey)
        (self.body, self.time, self.resolution, self.place, self.remoteID) = (body, time, resolution, place, remoteID)
        (self.receivedAt, self.flags, self.editedAt, self.deletedAt) = (receivedAt, flags, editedAt, deletedAt)
        self.replyTo = replyTo
        (self.versions, self.files, self.reactions) = (versions, files, reactions)
    }

    /// The time by which the message is matched, regardless of its place in the source's order.
    package var matchedTime: Timestamp {
        place.map { $0.matched(claim: time) } ?? time
    }

    /// The minute of the message's place, if the source's clock was set back from there to another minute; nil
    /// otherwise.
    package var laterMinute: Timestamp? {
        let minute = place.map(TimeResolution.minute.floor)
        return minute == TimeResolution.minute.floor(matchedTime) ? nil : minute
    }
}

/// The facts of a source about a message's sender and room, when it was exported.
package struct ImportedFacts: Sendable, Hashable, Codable {
    /// The sender's picture; nil if the source has none.
    package var picture: ImportedMessage.File?
    /// The room's description; nil if the source has none.
    package var description: String?
    /// The source's id of the person to whom the room belongs; nil if the source has none.
    package var owner: String?
    /// The owner's name; nil if unknown.
    package var ownerName: String?
    /// The room's picture; nil if the source has none.
    package var roomPicture: ImportedMessage.File?

    package init(
        picture: ImportedMessage.File? = nil, description: String? = nil, owner: String? = nil,
        ownerName: String? = nil, roomPicture: ImportedMessage.File? = nil
    ) {
        (self.picture, self.description, self.roomPicture) = (picture, description, roomPicture)
        (self.owner, self.ownerName) = (owner, ownerName)
    }

    /// True if there is no fact.
    package var isEmpty: Bool { self == ImportedFacts() }
}

/// A value in memory of its own: most messages have none, and its properties are many.
private indirect enum Boxed<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    case boxed(Value)

    init(_ value: Value) { self = .boxed(value) }

    var value: Value {
        switch self {
        case .boxed(let value): value
        }
    }

    init(from decoder: any Decoder) throws { self = .boxed(try Value(from: decoder)) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Timestamp {
    /// Returns the time by which a message with this place in an archive is matched: the time that its source claims,
    /// or the place if the claim is later or implausible.
    package func matched(claim: Timestamp) -> Timestamp {
        claim <= self && claim >= .earliestPlausible ? claim : self
    }
}

/// The time from the first to the last line of a room in a log.
package struct ImportedSpan: Sendable, Hashable, Codable {
    /// The room's name.
    package var room: String
    /// The source's id of the room; nil if it has only names.
    package var roomKey: String?
    package var from: Timestamp
    package var to: Timestamp
    /// The kind of the room, as the source says it; nil or `channel` if it does not say it.
    package var roomKind: RoomReference.Kind?

    package init(room: String, roomKey: String?, from: Timestamp, to: Timestamp, roomKind: RoomReference.Kind? = nil) {
        (self.room, self.roomKey, self.from, self.to, self.roomKind) = (room, roomKey, from, to, roomKind)
    }
}

/// A line of a source that could not be read.
package struct UnreadableLine: Sendable, Hashable {
    /// The room of the source; nil if unknown.
    package var room: String?
    /// The beginning of the line, at most ``maximumPayload`` bytes.
    package var payload: [UInt8]
    /// The reason for people, with the line's place.
    package var reason: String

    /// 64 KiB, more than the lines of any known log.
    package static let maximumPayload = 64 * 1024

    package init(room: String?, payload: [UInt8], reason: String) {
        self.room = room
        self.payload = Array(payload.prefix(Self.maximumPayload))
        self.reason = reason
    }
}

/// A line of a source, as the store receives it.
package enum ImportedLine: Sendable, Hashable {
    /// Indirect, because a message has many parts, and lines are moved often.
    indirect case message(ImportedMessage)
    case unreadable(UnreadableLine)
    /// The span of a room in a log, which may be incomplete. Comes after the room's messages.
    case imported(ImportedSpan)
    /// A fact of a full export that is not a message.
    case record(ArchiveRecord)
    /// The account's own person, before their first message in a log.
    case owner(ImportedOwner)
}

/// The numbers of imported lines by their result.
package struct ImportTally: Sendable, Hashable {
    /// The number of messages that were stored.
    package var new = 0
    /// The number of known messages that changed: a version, a file, a reaction, or a deletion was added.
    package var changed = 0
    /// The number of known messages that did not change.
    package var known = 0
    /// The number of lines that could not be read or stored; each is a row of `failure`.
    package var failed = 0
    /// The number of messages that were left out, because a rule has removed that time of their room.
    package var expired = 0
    /// The number of records of a full export.
    package var records = 0
    /// The number of those records that were new or changed something.
    package var newRecords = 0

    package init(
        new: Int = 0, changed: Int = 0, known: Int = 0, failed: Int = 0, expired: Int = 0, records: Int = 0,
        newRecords: Int = 0
    ) {
        (self.new, self.changed, self.known, self.failed) = (new, changed, known, failed)
        (self.expired, self.records, self.newRecords) = (expired, records, newRecords)
    }

    package static func + (a: ImportTally, b: ImportTally) -> ImportTally {
        var sum = a
        sum.new += b.new
        sum.changed += b.changed
        sum.known += b.known
        sum.failed += b.failed
        sum.expired += b.expired
        sum.records += b.records
        sum.newRecords += b.newRecords
        return sum
    }
}

extension ImportTally: Codable {
    /// Reads a tally. Keys that a listener of an earlier version leaves out are 0.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        new = try container.decode(Int.self, forKey: .new)
        changed = try container.decodeIfPresent(Int.self, forKey: .changed) ?? 0
        known = try container.decode(Int.self, forKey: .known)
        failed = try container.decode(Int.self, forKey: .failed)
        expired = try container.decodeIfPresent(Int.self, forKey: .expired) ?? 0
        records = try container.decodeIfPresent(Int.self, forKey: .records) ?? 0
        newRecords = try container.decodeIfPresent(Int.self, forKey: .newRecords) ?? 0
    }
}

extension MessageKind: Codable {}
extension MessageFlags: Codable {}

extension ImportedMessage: Codable {
    private enum CodingKeys: String, CodingKey {
        case room, roomKey, roomKind, kind, sender, senderKey, own, body, time, resolution, place, remoteID, receivedAt,
            flags
        case editedAt, deletedAt, placeOfDeleted, replyTo, versions, files, reactions, pinsAt
        case boxedExact = "exact"
        case boxedFacts = "facts"
        case raw, occurrence, alignment
    }
}

extension UnreadableLine: Codable {}

extension ImportedLine: Codable {
    private enum CodingKeys: String, CodingKey {
        case message, unreadable, imported, record, owner
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let message = try container.decodeIfPresent(ImportedMessage.self, forKey: .message) {
            self = .message(message)
        } else if let span = try container.decodeIfPresent(ImportedSpan.self, forKey: .imported) {
            self = .imported(span)
        } else if let record = try container.decodeIfPresent(ArchiveRecord.self, forKey: .record) {
            self = .record(record)
        } else if let owner = try container.decodeIfPresent(ImportedOwner.self, forKey: .owner) {
            self = .owner(owner)
        } else {
            self = .unreadable(try container.decode(UnreadableLine.self, forKey: .unreadable))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .message(let message): try container.encode(message, forKey: .message)
        case .unreadable(let line): try container.encode(line, forKey: .unreadable)
        case .imported(let span): try container.encode(span, forKey: .imported)
        case .record(let record): try container.encode(record, forKey: .record)
        case .owner(let owner): try container.encode(owner, forKey: .owner)
        }
    }
}
