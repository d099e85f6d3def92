/// A message as a log or an export has it, on its way into the archive.
package struct ImportedMessage: Sendable, Hashable {
    /// What it said from an instant on, before it said what it says now.
    package struct Version: Sendable, Hashable, Codable {
        package var at: Timestamp
        package var body: String?

        package init(at: Timestamp, body: String?) {
            (self.at, self.body) = (at, body)
        }
    }

    /// Somebody reacted to it.
    package struct Reaction: Sendable, Hashable, Codable {
        /// An emoji, or its name such as `:wave:`.
        package var text: String
        package var user: String
        /// What the source knows the user by; nil where it has names alone.
        package var userKey: String?
        /// Nil where that is not told.
        package var at: Timestamp?

        package init(text: String, user: String, userKey: String? = nil, at: Timestamp? = nil) {
            (self.text, self.user, self.userKey, self.at) = (text, user, userKey, at)
        }
    }

    /// A file that came with it.
    package struct File: Sendable, Hashable, Codable {
        /// Where the source has it: a URL, or a path in the export.
        package var path: String
        /// Bytes; nil where that is not told.
        package var size: Int64?

        package init(path: String, size: Int64? = nil) {
            (self.path, self.size) = (path, size)
        }
    }

    /// The room's name.
    package var room: String
    /// What the source knows the room by, which a change of its name does not change; nil where it has names alone.
    package var roomKey: String?
    /// A conversation of two.
    package var isDirect = false
    package var kind: MessageKind
    /// Nil for `system`.
    package var sender: String?
    /// What the source knows the sender by; nil where it has names alone. Two people of one name have two.
    package var senderKey: String?
    package var body: String?
    /// What the source tells, at the beginning of its resolution: `10:05` is 10:05:00.
    package var time: Timestamp
    package var resolution: TimeResolution
    /// The id that an archive had it under, when it comes from one; else, where the source's order and its time do not agree, the
    /// time by its order.
    package var place: Timestamp?
    /// Its id in the archive or on the network that it comes from, when it had one.
    package var remoteID: String?
    /// When that archive received it; nil for a log, which is received as it is imported.
    package var receivedAt: Timestamp?
    package var flags: MessageFlags
    /// Since when it says this; nil for what it said at first.
    package var editedAt: Timestamp?
    package var deletedAt: Timestamp?
    /// The remote id of the message that it answers, in the same room; nil where it answers none.
    package var replyTo: String?
    /// In order of time, the original first where the source has that; only of what was edited, and only where the source has
    /// them.
    package var versions: [Version] = []
    package var files: [File] = []
    /// Only of a message with a remote id.
    package var reactions: [Reaction] = []
    /// What an archive's own full export tells of it, so that its rows come back as they were; nil for every other source. Then
    /// versions, files and reactions are in here.
    package var exact: ExactMessage?
    /// The source's bytes of it, where they are not UTF-8, so that its texts lack what they said; nil for every other.
    package var raw: [UInt8]?
    /// Which one it is in its source of those that are alike. Set by whoever reads the whole source.
    package var occurrence = Occurrence()

    package init(
        room: String, roomKey: String? = nil, isDirect: Bool = false, kind: MessageKind, sender: String?,
        senderKey: String? = nil, body: String?, time: Timestamp, resolution: TimeResolution,
        place: Timestamp? = nil, remoteID: String? = nil, receivedAt: Timestamp? = nil, flags: MessageFlags = [],
        editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil, replyTo: String? = nil, versions: [Version] = [],
        files: [File] = [], reactions: [Reaction] = []
    ) {
        (self.room, self.roomKey, self.isDirect) = (room, roomKey, isDirect)
        self.kind = kind
        (self.sender, self.senderKey) = (sender, senderKey)
        self.body = body
        self.time = time
        self.resolution = resolution
        self.place = place
        self.remoteID = remoteID
        self.receivedAt = receivedAt
        self.flags = flags
        self.editedAt = editedAt
        self.deletedAt = deletedAt
        self.replyTo = replyTo
        (self.versions, self.files, self.reactions) = (versions, files, reactions)
    }

    /// The time that it is matched by, whatever place its source's order gives it.
    package var matchedTime: Timestamp {
        place.map { $0.matched(claim: time) } ?? time
    }

    /// The minute of its place, where its source's clock had gone back from there to another minute.
    package var laterMinute: Timestamp? {
        let minute = place.map(TimeResolution.minute.floor)
        return minute == TimeResolution.minute.floor(matchedTime) ? nil : minute
    }
}

extension Timestamp {
    /// Returns the time by which something at this place in an archive is matched: the time that its source claims, or the
    /// place where the claim is later or can't be true.
    package func matched(claim: Timestamp) -> Timestamp {
        claim <= self && claim >= .earliestBelieved ? claim : self
    }
}

/// The time from the first to the last line that a log has of a room.
package struct ImportedSpan: Sendable, Hashable, Codable {
    /// The room's name.
    package var room: String
    package var roomKey: String?
    package var from: Timestamp
    package var to: Timestamp

    package init(room: String, roomKey: String?, from: Timestamp, to: Timestamp) {
        (self.room, self.roomKey, self.from, self.to) = (room, roomKey, from, to)
    }
}

/// A line of a source that could not be understood.
package struct UnreadableLine: Sendable, Hashable {
    /// The room of the source, when that is known.
    package var room: String?
    /// At most ``maximumPayload`` bytes of it.
    package var payload: [UInt8]
    /// For people, with the line's place.
    package var reason: String

    /// 64 KiB: no log that we know has lines as long.
    package static let maximumPayload = 64 * 1024

    package init(room: String?, payload: [UInt8], reason: String) {
        self.room = room
        self.payload = Array(payload.prefix(Self.maximumPayload))
        self.reason = reason
    }
}

package enum ImportedLine: Sendable, Hashable {
    case message(ImportedMessage)
    case unreadable(UnreadableLine)
    /// So much time a log has of a room, which proves nothing of what it lacks. Behind the room's messages.
    case imported(ImportedSpan)
    /// What an archive's own full export tells besides messages.
    case record(ArchiveRecord)
}

/// What became of imported lines.
package struct ImportTally: Sendable, Hashable {
    /// Messages that were stored.
    package var new = 0
    /// Messages that were there before, and now have more: a version, a file, a reaction, or that they were deleted.
    package var changed = 0
    /// Messages that were there before, as they are.
    package var known = 0
    /// Lines that were not understood or that the store refused; each is a row of `failure`.
    package var failed = 0
    /// Of a full export's facts that are no messages, all that came, and those that were new or changed something.
    package var records = 0
    package var newRecords = 0

    package init(
        new: Int = 0, changed: Int = 0, known: Int = 0, failed: Int = 0, records: Int = 0, newRecords: Int = 0
    ) {
        (self.new, self.changed, self.known, self.failed) = (new, changed, known, failed)
        (self.records, self.newRecords) = (records, newRecords)
    }

    package static func + (a: ImportTally, b: ImportTally) -> ImportTally {
        var sum = a
        sum.new += b.new
        sum.changed += b.changed
        sum.known += b.known
        sum.failed += b.failed
        sum.records += b.records
        sum.newRecords += b.newRecords
        return sum
    }
}

extension ImportTally: Codable {
    /// A listener of an earlier program does not tell what came later.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        new = try container.decode(Int.self, forKey: .new)
        changed = try container.decodeIfPresent(Int.self, forKey: .changed) ?? 0
        known = try container.decode(Int.self, forKey: .known)
        failed = try container.decode(Int.self, forKey: .failed)
        records = try container.decodeIfPresent(Int.self, forKey: .records) ?? 0
        newRecords = try container.decodeIfPresent(Int.self, forKey: .newRecords) ?? 0
    }
}

extension MessageKind: Codable {}
extension MessageFlags: Codable {}
extension ImportedMessage: Codable {}
extension UnreadableLine: Codable {}

extension ImportedLine: Codable {
    private enum CodingKeys: String, CodingKey {
        case message, unreadable, imported, record
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let message = try container.decodeIfPresent(ImportedMessage.self, forKey: .message) {
            self = .message(message)
        } else if let span = try container.decodeIfPresent(ImportedSpan.self, forKey: .imported) {
            self = .imported(span)
        } else if let record = try container.decodeIfPresent(ArchiveRecord.self, forKey: .record) {
            self = .record(record)
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
        }
    }
}
