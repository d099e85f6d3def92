package import ChatModel
import GRDB

/// What importing into an account would do, without doing any of it.
package final class ImportRehearsal {
    /// Nil when the account is yet to be made.
    private let reader: AccountReader?
    /// Messages with a remote id that came, and so would be stored by now.
    private var seen: [Int: Seen] = [:]

    private struct Seen {
        /// Hashes of what it said.
        var bodies: Set<Int>
        var isDeleted: Bool
    }

    /// At about 100 bytes each. Of more, one that comes again after so many others is counted as if it were the first.
    private static let capacity = 100_000

    init(reader: AccountReader?) {
        self.reader = reader
    }

    package func add(_ lines: [ImportedLine]) throws -> ImportTally {
        guard let reader else { return tally(lines) { (ImportTally(new: 1), $0.remoteID) } }
        var (names, stored) = (NameBook(), StoredOccurrences?.none)
        return try reader.read { db in
            try tally(lines) { message in
                switch try ImportMatch(message, names: &names, stored: &stored, db) {
                case .new(_, let remoteID): return (ImportTally(new: 1), remoteID)
                case .known: return (ImportTally(known: 1), nil)
                case .again(let old):
                    let incoming = message.incoming(remoteID: message.remoteID, at: .now())
                    let isChanged = try old.lacksVersion(incoming, db) || old.lacksDeletion(incoming)
                    return (isChanged ? ImportTally(changed: 1) : ImportTally(known: 1), message.remoteID)
                }
            }
        }
    }

    /// - Parameter outcome: What would become of a message if nothing had come before it, and the remote id that it would have.
    private func tally(
        _ lines: [ImportedLine], _ outcome: (ImportedMessage) throws -> (ImportTally, remoteID: String?)
    ) rethrows -> ImportTally {
        var tally = ImportTally()
        for line in lines {
            switch line {
            case .unreadable: tally.failed += 1
            case .message(let message):
                let (alone, remoteID) = try outcome(message)
                tally = tally + (remoteID.map { repeated(message, $0, alone) } ?? alone)
            }
        }
        return tally
    }

    /// The same after what came before it.
    private func repeated(_ message: ImportedMessage, _ remoteID: String, _ outcome: ImportTally) -> ImportTally {
        if seen.count >= Self.capacity { seen.removeAll(keepingCapacity: true) }
        let key = [message.room, remoteID].map(ExactString.init).hashValue
        let body = message.body.map(ExactString.init).hashValue
        let before = seen[key]
        seen[key, default: Seen(bodies: [], isDeleted: false)].bodies.insert(body)
        if message.deletedAt != nil { seen[key]?.isDeleted = true }
        guard let before, outcome.known == 0 else { return outcome }
        let isDeleted = message.deletedAt != nil && !before.isDeleted
        let isEdited = message.editedAt != nil && !before.bodies.contains(body)
        return isDeleted || isEdited ? ImportTally(changed: 1) : ImportTally(known: 1)
    }
}
