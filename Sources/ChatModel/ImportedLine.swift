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

    /// True if it has no facts.
    package var isEmpty: Bool { self == ImportedFacts() }
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
