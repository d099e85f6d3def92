package import ChatModel
import GRDB

/// What importing into an account would do, without doing any of it.
package struct ImportRehearsal {
    /// Nil when the account is yet to be made.
    private let reader: AccountReader?

    init(reader: AccountReader?) {
        self.reader = reader
    }

    package func add(_ lines: [ImportedLine]) throws -> ImportTally {
        guard let reader else { return lines.tallied { _ in false } }
        var (names, stored) = (NameBook(), StoredOccurrences?.none)
        let tally = try reader.read { db in
            try lines.tallied { try ImportMatch($0, names: &names, stored: &stored, db).isKnown }
        }
        return tally
    }
}

extension [ImportedLine] {
    fileprivate func tallied(isKnown: (ImportedMessage) throws -> Bool) rethrows -> ImportTally {
        var tally = ImportTally()
        for line in self {
            switch line {
            case .unreadable: tally.failed += 1
            case .message(let message): if try isKnown(message) { tally.known += 1 } else { tally.new += 1 }
            }
        }
        return tally
    }
}
