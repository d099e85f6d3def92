import Bytes
package import ChatModel
import Records
package import SQLite

extension ImportedMessage {
    /// True if the message has anything that a stored message with the same text can lack.
    package var mayHaveMore: Bool {
        !versions.isEmpty || !files.isEmpty || !reactions.isEmpty || deletedAt != nil || exact != nil
            || flags.contains(.pinned)
    }
}

/// The rows that are stored with a message.
extension ImportedMessage {
    package var hasFiles: Bool { !files.isEmpty || !(exact?.files.isEmpty ?? true) }

    package var storedReactions: [ImportedReaction] {
        exact.map { $0.reactions.map(ImportedReaction.init) } ?? reactions.map { ImportedReaction($0, of: self) }
    }

    /// Stores the message's files. Returns true if any of them is new.
    package func storeFiles(as id: Int64, _ db: Database) throws -> Bool {
        try storedFiles.reduce(false) { isNew, file in
            try file.store(as: id, db) || isNew
        }
    }

    /// The files to store. A file without bytes here may still be on the network if a full export has it; other exports
    /// name no place from which it can be fetched.
    var storedFiles: [NewAttachment] {
        guard let exact else {
            return files.map { file in
                NewAttachment(
                    path: file.path.withoutNUL, size: file.size, sha256: file.sha256,
                    state: AttachmentBook.Code.otherServer)
            }
        }
        return exact.files.map { file in
            let state =
                switch Attachment.State(rawValue: file.state) {
                case .gone: AttachmentBook.Code.gone
                case .otherServer: AttachmentBook.Code.otherServer
                case .expired: AttachmentBook.Code.expired
                case .missing, .fetched, .failed, .tooLarge, nil: AttachmentBook.Code.missing
                }
            return NewAttachment(path: file.path.withoutNUL, size: file.bytes, sha256: file.sha256, state: state)
        }
    }

    /// Returns the earlier texts, each with a time later than the one before it. The original text has the message's id
    /// as its time.
    package func earlier(of id: Int64) -> [(at: Int64, body: String?)] {
        let first = exact == nil ? time.advanced(byMicroseconds: resolution.microseconds - 1) : place ?? time
        var next = id
        return (exact?.versions ?? versions).enumerated().map { index, version in
            let isOriginal = index == 0 && version.at <= first
            let time = isOriginal ? id : max(version.at.microseconds, id &+ 1, next)
            next = time &+ 1
            return (time, version.body)
        }
    }

    /// Returns all texts, the present one last. Leaves out the present text if the source lost it through a deletion.
    /// Returns nothing for a wiped message.
    package func exactVersions(of id: Int64) -> [(at: Int64, body: String?)] {
        guard !isWiped else { return [] }
        let earlier = earlier(of: id)
        guard body != nil || deletedAt == nil else { return earlier }
        let edit = earlier.isEmpty && editedAt == nil ? id : max(editedAt?.microseconds ?? id, id &+ 1)
        return earlier + [(max(edit, earlier.last.map { $0.at &+ 1 } ?? id), body)]
    }

    /// Returns one message for each text, in the form of a network's history. The present text comes last.
    package func incomingVersions(at now: Timestamp) -> [IncomingMessage] {
        let last = incoming(remoteID: remoteID, at: now)
        guard !versions.isEmpty else { return [last] }
        let end = time.advanced(byMicroseconds: resolution.microseconds - 1)
        return versions.enumerated().map { index, version in
            var incoming = last
            (incoming.body, incoming.deletedAt) = (version.body, nil)
            incoming.editedAt = index == 0 && version.at <= end ? nil : version.at.plausible(at: now)
            return incoming
        } + [last]
    }
}
