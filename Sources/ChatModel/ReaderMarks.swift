/// The read marks of a reader who is not the archive's owner. The owner's marks are stored in the accounts.
package struct ReaderMarks: Sendable, Hashable {
    /// An account as it is: one that was erased and made again has other rooms.
    package struct Account: Sendable, Hashable {
        package var name: String
        package var createdAt: Timestamp

        package init(_ name: String, createdAt: Timestamp) {
            (self.name, self.createdAt) = (name, createdAt)
        }
    }

    /// The place up to which a room was read.
    package struct Mark: Sendable, Hashable {
        package var through: MessageID
        /// The end of the account's feed when the mark was set. Whatever was stored later is unread, wherever it is.
        package var seq: Int64
        package var setAt: Timestamp

        package init(through: MessageID, seq: Int64, setAt: Timestamp) {
            (self.through, self.seq, self.setAt) = (through, seq, setAt)
        }
    }

    /// The marks of an account's rooms.
    package struct Rooms: Sendable, Hashable {
        /// When the reader came: in a room that was never marked, the messages before that are read.
        let since: Timestamp
        let marks: [Int64: Mark]

        package func mark(of room: Int64) -> Mark {
            marks[room] ?? Mark(through: MessageID(since), seq: .max, setAt: since)
        }
    }

    /// When the reader came.
    package let since: Timestamp
    /// The marks by account and number of the room.
    package var marks: [Account: [Int64: Mark]]

    package init(since: Timestamp, marks: [Account: [Int64: Mark]] = [:]) {
        (self.since, self.marks) = (since, marks)
    }

    package func rooms(of account: Account) -> Rooms { Rooms(since: since, marks: marks[account] ?? [:]) }
}
