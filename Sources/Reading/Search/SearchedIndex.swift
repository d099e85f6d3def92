import Records
import Schema
import SearchText

/// The state of an account's search index.
package struct SearchedIndex: Sendable, Hashable {
    package var account: String
    /// The version of the analyser that made the index; `Int.max` without an index.
    package var analyser: Int
    /// The id from which on the index has all messages, in microseconds since 1970: `Int64.min` for the whole archive, and
    /// `Int64.max` without an index.
    package var from: Int64

    /// Reads the state of an account.
    init(of account: String, _ db: ReadTransaction) throws {
        let reach = try SearchReach.all(db).first
        (self.account, analyser, from) = (account, reach?.analyser ?? .max, reach?.from ?? .max)
    }

    /// True if an earlier version made the index, with its analyser.
    package var isOutdated: Bool { analyser < Analyser.version }

    /// True if the index does not reach back to the beginning yet.
    package var lacksMessages: Bool { from != .min }
}
