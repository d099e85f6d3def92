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

    /// The facts that an import found out about a message of a log before it is stored (`docs/import.md`).
    package enum Alignment: Sendable, Hashable, Codable {
        /// It is the stored message with this id, whose name of the sender may be another one.
        case stored(id: Int64)
        /// It is no stored message, whatever their times and texts are.
        case new
    }

    /// The id that a network's server gave a message, beside the sender's.
    package enum ServerID: Sendable, Hashable {
        case known(String)
        /// The source does not have it.
        case unknown
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
    /// The other form of the room's name in the file's name, under which an earlier import may have stored the log when its
    /// lines did not name the room yet; nil if there is none.
    package var roomInFile: String?
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
    /// The id that the network's server gave, if `remoteID` is the sender's; nil for other sources. Not encoded.
    package var serverID: ServerID?
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
    /// The source's bytes if they are not valid UTF-8, because the texts then lack a part of them, or if they are
    /// ciphertext; nil otherwise.
    package var raw: [UInt8]?
    /// The message's number among the equal messages of the source. The reader of the whole source sets it.
    package var occurrence = Occurrence()
    /// Nil if the store finds out by itself.
    package var alignment: Alignment?
    /// False for a line without a time, which has the time at which its session began: it shows nothing about the source's
    /// clock. Not encoded.
    package var isTimed = true
    /// True if the sender had this name at the time of the message: a log has it, while an export may call all messages of
    /// a person by the present name. Not encoded.
    package var hasNameOfItsTime = false
    /// The number of the part of the source in which equal messages are counted: 0 for the whole source. A part that repeats
    /// the messages of other parts has another number, like another file. Not encoded.
    package var section = 0

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

    /// Gives the message the server's id in place of the sender's, for an archive that knows messages by those. A message
    /// without it is known by its content and time.
    package mutating func identifyByServer() {
        switch serverID {
        case .known(let id): remoteID = id
        case .unknown: (remoteID, reactions) = (nil, [])
        case nil: break
        }
    }

    /// The minute of the message's place, if the source's clock was set back from there to another minute; nil
    /// otherwise.
    package var laterMinute: Timestamp? {
        let minute = place.map(TimeResolution.minute.floor)
        return minute == TimeResolution.minute.floor(matchedTime) ? nil : minute
    }
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

extension ImportedMessage: Codable {
    private enum CodingKeys: String, CodingKey {
        case room, roomInFile, roomKey, roomKind, kind, sender, senderKey, own, body, time, resolution, place
        case remoteID, receivedAt, flags
        case editedAt, deletedAt, placeOfDeleted, replyTo, versions, files, reactions, pinsAt
        case boxedExact = "exact"
        case boxedFacts = "facts"
        case raw, occurrence, alignment
    }
}

extension ImportedMessage {
    /// Returns the message in the form that a listener reports, without room and sender. The caller finds both by key
    /// or name.
    package func incoming(remoteID: String?, at now: Timestamp) -> IncomingMessage {
        IncomingMessage(
            session: nil, room: RoomReference(key: "", name: "", kind: .channel), kind: kind, sender: nil, body: body,
            remoteID: remoteID, sourceTime: exact.map { $0.sourceTime ?? place } ?? time,
            receivedAt: min(receivedAt ?? now, now),
            flags: flags.union(resolution.flag), editedAt: (editedAt ?? impliedEdit)?.plausible(at: now),
            deletedAt: deletedAt?.plausible(at: now), replyTo: replyTo, attachments: filePaths, raw: raw)
    }

    /// The time of the present text if the source does not say it: 1 µs after the last earlier text; nil if there is no
    /// earlier text.
    private var impliedEdit: Timestamp? {
        (exact?.versions ?? versions).last.map { max($0.at, place ?? time).advanced(byMicroseconds: 1) }
    }

    private var filePaths: [String] {
        exact.map { $0.files.map(\.path) } ?? (files.isEmpty ? [] : files.map(\.path))
    }
}

extension ImportedMessage {
    /// The approximate size of the message's texts in bytes, with ``partBytes`` for each reaction, file and version.
    package var bytes: Int {
        func length(_ text: String?) -> Int { text?.utf8.count ?? 0 }
        var bytes = room.utf8.count + length(sender) + length(body) + length(remoteID) + length(roomKey)
        bytes += length(senderKey) + length(replyTo) + length(roomInFile)
        for reaction in reactions {
            bytes += reaction.text.utf8.count + reaction.user.utf8.count + length(reaction.userKey) + Self.partBytes
        }
        for file in files {
            bytes += (file.copies ?? []).reduce(file.path.utf8.count) { $0 + $1.utf8.count } + Self.partBytes
        }
        for version in versions { bytes += length(version.body) + Self.partBytes }
        for part in exact?.parts ?? [] { bytes += part + Self.partBytes }
        return bytes
    }

    /// The keys and times of a reaction, file or version, as a sixth of their bytes in a request of the control socket.
    private static let partBytes = 32
}

extension ExactMessage {
    /// The sizes of the texts of versions, files and reactions.
    fileprivate var parts: [Int] {
        let given = reactions.map { reaction in
            [reaction.user.key, reaction.user.former?.name, reaction.ownID].reduce(reaction.text.utf8.count) {
                $0 + ($1?.utf8.count ?? 0)
            }
        }
        return versions.map { $0.body?.utf8.count ?? 0 } + files.map(\.path.utf8.count) + given
    }
}
