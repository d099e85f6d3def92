import Archive
import ChatModel
import MatrixWire
import Reading
import Settings

/// Gives the encrypted messages of an account their texts, through the listener that has its file open, or in the file
/// itself.
struct MatrixDecryption: Sendable {
    let archive: Archive
    let account: AccountIdentity

    struct Tally: Sendable, Hashable {
        var decrypted = 0
        var withoutKey = 0
        /// The messages without a text for people.
        var empty = 0
        var failed = 0
        /// The reason of the first failure.
        var reason: String?
    }

    init(archive: Archive, account: AccountIdentity) {
        (self.archive, self.account) = (archive, account)
    }

    /// The messages of one request to a listener, of at most 64 KiB each.
    private static let batch = 32

    /// Tries every encrypted message once. After an interruption, another run continues.
    ///
    /// - Parameter progress: Called after each batch.
    func run(_ keys: consuming MatrixRoomKeys, progress: (Tally) -> Void) async throws -> Tally {
        let writing = StoreWriting(archive: archive, account: account)
        try noteDecrypted(in: &keys)
        var (tally, after): (Tally, MessageID?) = (Tally(), nil)
        while true {
            let messages = try archive.reading().decryption.encryptedMessages(
                account: account.name, after: after, limit: Self.batch)
            guard let last = messages.last else { break }
            after = last.id
            var lines: [ImportedLine] = []
            for message in messages {
                switch keys.decrypt(message) {
                case .noKey: tally.withoutKey += 1
                case .nothing(let read):
                    tally.empty += 1
                    lines.append(.message(read))
                case .failed(let reason):
                    tally.failed += 1
                    tally.reason = tally.reason ?? reason
                case .read(let read, let edit):
                    tally.decrypted += 1
                    lines.append(.message(read))
                    if let edit, let changed = try apply(edit) { lines.append(.message(changed)) }
                }
            }
            if !lines.isEmpty {
                _ = try await writing.importLines(lines, requests: [lines.indices], isUnread: false)
            }
            progress(tally)
        }
        try await writing.close()
        return tally
    }

    /// Notes the messages that earlier runs decrypted, whose bytes may have been copied since then.
    private func noteDecrypted(in keys: inout MatrixRoomKeys) throws {
        var after: MessageID?
        while true {
            let messages = try archive.reading().decryption.encryptedMessages(
                account: account.name, after: after, limit: Self.batch, areDecrypted: true)
            guard let last = messages.last else { return }
            after = last.id
            for message in messages { keys.note(message) }
        }
    }

    /// Returns the changed message at its time; nil if it is not stored, somebody else's, or of another kind.
    private func apply(_ edit: MatrixRoomKeys.Edit) throws -> ImportedMessage? {
        let origin = try archive.reading().decryption.origin(
            of: edit.target, room: edit.message.roomKey ?? "", account: account.name)
        guard let origin, origin.sender == edit.message.senderKey, origin.kind == edit.message.kind else { return nil }
        var message = edit.message
        message.time = origin.time
        return message
    }
}
