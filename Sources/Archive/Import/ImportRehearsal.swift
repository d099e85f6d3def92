import Accounts
import Bytes
package import ChatModel
import Files
import Records
import SQLite
import Schema
import Writing

/// A rehearsal of an import into an account: counts what the import would store, and stores nothing.
///
/// The rehearsal only reads, also beside a listener. An import in a transaction that is rolled back would block the
/// listener's writer for its whole time. An import into a private copy would need as much disk space as the account and
/// the import together. Either would take 5 times the processor time: 34 s instead of 6 s for a million lines
/// *(measured)*.
package actor ImportRehearsal {
    /// Nil if the account does not exist yet.
    private let reader: AccountReader?
    /// The imported messages with a remote id so far, by a hash of room and id.
    private var seen: [Int: Seen] = [:]
    /// The number of facts in ``seen``.
    private var factCount = 0
    /// The retractions of stored messages so far, by the message's id.
    private var retracted: [Int64: (at: Timestamp, wipes: Bool)] = [:]
    private var records = RecordRehearsal()
    private var names = NameBook.rehearsal()
    /// The account's bridges; nil until they are needed.
    private var bridges: BridgeBook?
    private var stored = StoredOccurrences()

    private struct Seen {
        /// Hashes of the message's texts, files and reactions.
        var facts: Set<Int> = []
        var isDeleted = false
        var isReply = false
    }

    /// The limit of ``seen`` and ``retracted``, at about 100 bytes an entry. A repetition of a message that was
    /// forgotten counts like its first line.
    private static let capacity = 100_000
    /// The limit of facts in memory, at about 20 bytes each; one message has 250,000 at most.
    private static let factCapacity = 400_000

    init(reader: AccountReader?) {
        self.reader = reader
    }

    /// Returns the counts that an import of these lines would have, after the lines that were added before.
    package func add(_ lines: [ImportedLine]) throws -> ImportTally {
        guard let reader else {
            return tally(lines, isNew: { $0.kind != .account }, { (ImportTally(new: 1), $0.remoteID) })
        }
        return try reader.read { transaction in
            guard let db = transaction.file else { throw ArchiveError.needsFiles }
            for case .owner(let owner) in lines { try names.rehearseOwner(owner, db) }
            return try tally(lines, isNew: { try isNew($0, db) }, { try outcome(of: $0, db) })
        }
    }

    private func isNew(_ record: ArchiveRecord, _ db: Database) throws -> Bool {
        if case .retraction(let record) = record { try note(record, db) }
        return try records.isNew(record, names: &names, db)
    }

    private func outcome(of original: ImportedMessage, _ db: Database) throws -> (ImportTally, remoteID: String?) {
        let bridges = try bridges ?? BridgeBook(db)
        self.bridges = bridges
        let message = try bridges.applied(to: original, names: &names, db)
        switch try ImportMatch(message, names: &names, stored: &stored, db) {
        case .new(_, let remoteID): return (ImportTally(new: 1), remoteID)
        case .known(let room, let senders):
            guard message.mayHaveMore,
                let old = try stored.find(like: message, room: room, senders, db),
                try old.lacks(message, names: &names, db)
            else { return (ImportTally(known: 1), nil) }
            return (ImportTally(changed: 1), nil)
        case .unidentified(_, let remoteID): return (ImportTally(changed: 1), remoteID)
        case .again(var old):
            if let retraction = retracted[old.id] { old.retract(retraction) }
            let isChanged = try old.lacks(message, names: &names, db)
            return (isChanged ? ImportTally(changed: 1) : ImportTally(known: 1), message.remoteID)
        }
    }

    private func note(_ record: RetractionRecord, _ db: Database) throws {
        guard let room = try names.rooms.roomEntry(record.roomKey.withoutNUL, db)?.id,
            let stored = try StoredMessage.find(record.remoteID.withoutNUL, room: room, db)
        else { return }
        if retracted.count >= Self.capacity { retracted.removeAll(keepingCapacity: true) }
        retracted[stored.id] = (record.at, record.wipes)
    }

    /// - Parameters:
    ///   - isNew: Returns true for a record that would change something.
    ///   - outcome: Returns the counts for a message, regardless of the lines before it, and the remote id that it
    ///     would get.
    private func tally(
        _ lines: [ImportedLine], isNew: (ArchiveRecord) throws -> Bool,
        _ outcome: (ImportedMessage) throws -> (ImportTally, remoteID: String?)
    ) rethrows -> ImportTally {
        var tally = ImportTally()
        for line in lines {
            switch line {
            case .unreadable: tally.failed += 1
            case .imported, .owner: break
            case .record(let record):
                tally.records += 1
                if try isNew(record) { tally.newRecords += 1 }
            case .message(let message):
                let (alone, remoteID) = try outcome(message)
                tally = tally + (remoteID.map { repeated(message, $0, alone) } ?? alone)
            }
        }
        return tally
    }

    /// Corrects the counts for a message that an earlier line already has.
    private func repeated(_ message: ImportedMessage, _ remoteID: String, _ outcome: ImportTally) -> ImportTally {
        if seen.count >= Self.capacity || factCount >= Self.factCapacity {
            seen.removeAll()
            factCount = 0
        }
        let key = [message.exact?.roomKey ?? message.roomKey ?? message.room, remoteID].map(ExactString.init).hashValue
        var after = seen[key] ?? Seen()
        let before = seen[key]
        let isNewText = after.facts.insert(message.text).inserted && message.editedAt != nil
        let isNewFact = message.facts.reduce(false) { after.facts.insert($1).inserted || $0 }
        factCount += after.facts.count - (before?.facts.count ?? 0)
        let (isDeleted, isReply) = (message.deletedAt != nil, message.replyTo != nil)
        (after.isDeleted, after.isReply) = (after.isDeleted || isDeleted, after.isReply || isReply)
        seen[key] = after
        guard let before, outcome.known == 0 else { return outcome }
        let isChanged = isNewText || isNewFact || isDeleted && !before.isDeleted || isReply && !before.isReply
        return isChanged ? ImportTally(changed: 1) : ImportTally(known: 1)
    }
}

extension StoredMessage {
    fileprivate mutating func retract(_ retraction: (at: Timestamp, wipes: Bool)) {
        deletedAt = deletedAt ?? retraction.at.microseconds
        if retraction.wipes { isWiped = true }
    }
}

extension ImportedMessage {
    /// A hash of the text. For a message with the network's ids, a hash of the time of the last edit, because two
    /// exports may render the same text differently.
    fileprivate var text: Int {
        hasNetworkIDs ? [editedAt].hashValue : body.map(ExactString.init).hashValue
    }

    /// Hashes of the message's earlier texts, files and reactions.
    fileprivate var facts: [Int] {
        guard mayHaveMore else { return [] }
        func hash(_ parts: String?...) -> Int { parts.map { $0.map(ExactString.init) }.hashValue }
        let texts = (exact?.versions ?? versions).enumerated().map { index, version in
            hasNetworkIDs ? [index == 0 ? nil : version.at].hashValue : version.body.map(ExactString.init).hashValue
        }
        let paths = (exact?.files.map(\.path) ?? []) + files.map(\.path)
        let given = reactions.map { hash("reaction", $0.text, $0.userKey ?? $0.user) }
        let exactly = (exact?.reactions ?? []).map {
            hash("reaction", $0.text, $0.user.key ?? $0.user.former?.name, $0.at.description, $0.removedAt?.description)
        }
        let pin = flags.contains(.pinned) ? [hash("pinned")] : []
        return texts + paths.map { hash("file", $0) } + given + exactly + pin
    }
}
