import ChatModel
import GRDB

extension ImportedMessage {
    /// As the store takes it; room and sender are found by key or name.
    func incoming(remoteID: String?, at now: Timestamp) -> IncomingMessage {
        IncomingMessage(
            session: nil, room: RoomReference(key: "", name: "", kind: .channel), kind: kind, sender: nil, body: body,
            remoteID: remoteID, sourceTime: exact.map { $0.sourceTime ?? place } ?? time,
            receivedAt: min(receivedAt ?? now, now),
            flags: flags.union(resolution.flag), editedAt: (editedAt ?? impliedEdit)?.believed(at: now),
            deletedAt: deletedAt?.believed(at: now), replyTo: replyTo, attachments: filePaths, raw: raw)
    }

    /// Of what had other texts before, and does not tell since when it says this.
    private var impliedEdit: Timestamp? {
        (exact?.versions ?? versions).last.map { max($0.at, place ?? time).advanced(byMicroseconds: 1) }
    }

    private var filePaths: [String] {
        exact.map { $0.files.map(\.path) } ?? (files.isEmpty ? [] : files.map(\.path))
    }

    /// Whether it tells anything that one which is alike, or has just been stored, can lack.
    var mayHaveMore: Bool {
        !versions.isEmpty || !files.isEmpty || !reactions.isEmpty || deletedAt != nil || exact != nil
    }
}

/// The rows that come with a message.
extension ImportedMessage {
    var hasFiles: Bool { !files.isEmpty || !(exact?.files.isEmpty ?? true) }

    var storedReactions: [ImportedReaction] {
        exact.map { $0.reactions.map(ImportedReaction.init) } ?? reactions.map { ImportedReaction($0, of: self) }
    }

    /// Returns whether any of the files is new.
    func storeFiles(as id: Int64, _ db: Database) throws -> Bool {
        try storedFiles.reduce(false) { isNew, file in
            try AttachmentBook.insert(file.path, of: id, size: file.size, state: file.state, db) || isNew
        }
    }

    /// In an export there are no bytes: what its archive had, a network may still have.
    var storedFiles: [(path: String, size: Int64?, state: Int64)] {
        guard let exact else {
            return files.map { ($0.path.withoutNUL, $0.size, AttachmentBook.Code.elsewhere) }
        }
        return exact.files.map { file in
            let state =
                switch Attachment.State(rawValue: file.state) {
                case .gone: AttachmentBook.Code.gone
                case .elsewhere: AttachmentBook.Code.elsewhere
                case .missing, .here, .failed, .tooLarge, nil: AttachmentBook.Code.missing
                }
            return (file.path.withoutNUL, file.bytes, state)
        }
    }

    /// What it said before, the original at the message's id, each later than the one before it.
    func earlier(of id: Int64) -> [(at: Int64, body: String?)] {
        let first = exact == nil ? time.advanced(byMicroseconds: resolution.microseconds - 1) : place ?? time
        var next = id
        return (exact?.versions ?? versions).enumerated().map { index, version in
            let isOriginal = index == 0 && version.at <= first
            let time = isOriginal ? id : max(version.at.microseconds, id &+ 1, next)
            next = time &+ 1
            return (time, version.body)
        }
    }

    /// What it ever said, what it says now last; but for what is not told of it since it was deleted.
    func exactVersions(of id: Int64) -> [(at: Int64, body: String?)] {
        guard !isWiped else { return [] }
        let earlier = earlier(of: id)
        guard body != nil || deletedAt == nil else { return earlier }
        let edit = earlier.isEmpty && editedAt == nil ? id : max(editedAt?.microseconds ?? id, id &+ 1)
        return earlier + [(max(edit, earlier.last.map { $0.at &+ 1 } ?? id), body)]
    }

    /// What it ever said as history tells it, what it says now last.
    func tellings(at now: Timestamp) -> [IncomingMessage] {
        let last = incoming(remoteID: remoteID, at: now)
        guard !versions.isEmpty else { return [last] }
        let end = time.advanced(byMicroseconds: resolution.microseconds - 1)
        return versions.enumerated().map { index, version in
            var telling = last
            (telling.body, telling.deletedAt) = (version.body, nil)
            telling.editedAt = index == 0 && version.at <= end ? nil : version.at.believed(at: now)
            return telling
        } + [last]
    }
}
