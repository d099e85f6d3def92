import Accounts
import Bytes
package import ChatModel
import SQLite
import Schema
import Writing

/// Recognises an import of messages that the account already has at other times.
///
/// Reads a sample: an import costs one look-up for each of its first batches, and nothing after them.
package actor ImportShiftSearch {
    /// Nil if the account does not exist yet, or when the search is over.
    private var reader: AccountReader?
    private var names = NameBook()
    /// The rooms that the account lacked when their first messages came.
    private var newRooms: Set<ExactString> = []
    private var batches = 0

    /// The limit of batches. A newer export may begin before the stored messages.
    private static let mostBatches = 16
    /// The limits of lines and of messages that are read of each batch.
    private static let (mostLines, mostMessages) = (1000, 300)
    /// The limit of stored messages that are read for each room of a batch: some milliseconds.
    private static let mostStored = 20_000

    init(reader: AccountReader?) {
        self.reader = reader
    }

    /// Returns the distance at which the account already has the messages of a batch that is not stored yet; nil if
    /// there is none, or if the batch has too few messages.
    package func find(in lines: [ImportedLine]) throws -> ImportShift? {
        guard let reader, batches < Self.mostBatches else {
            self.reader = nil
            return nil
        }
        batches += 1
        return try reader.read { transaction in
            guard let db = transaction.file else { return nil }
            for messages in Self.sample(lines) {
                guard let room = try room(of: messages[0], db) else { continue }
                switch try compare(messages, in: room, db) {
                case .equal: self.reader = nil
                case .shifted(let distance):
                    return ImportShift(
                        room: messages[0].room, time: messages[0].matchedTime, seconds: Int(distance / 1_000_000))
                case .different: continue
                }
            }
            return nil
        }
    }

    /// Returns the first messages, those of a room together. Leaves out messages with an id, which are found by it.
    private static func sample(_ lines: [ImportedLine]) -> [[ImportedMessage]] {
        let messages = lines.prefix(mostLines).lazy.compactMap { line -> ImportedMessage? in
            guard case .message(let message) = line, message.kind == .message, message.body != nil,
                message.exact == nil, message.remoteID == nil, message.isTimed
            else { return nil }
            return message
        }
        return Array(Dictionary(grouping: messages.prefix(mostMessages)) { ExactString($0.room) }.values)
    }

    private func room(of message: ImportedMessage, _ db: Database) throws -> Int64? {
        let name = ExactString(message.room)
        if newRooms.contains(name) { return nil }
        let room = try names.rooms.findRoom(of: message, db)
        if room == nil { newRooms.insert(name) }
        return room
    }

    private func compare(
        _ messages: [ImportedMessage], in room: Int64, _ db: Database
    ) throws -> ShiftedTexts.Result {
        var texts = ShiftedTexts()
        for message in messages { texts.add(message.body ?? "", at: message.matchedTime) }
        let times = messages.map(\.matchedTime)
        guard let first = times.min(), let last = times.max() else { return .different }
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, source_time_us, body FROM message
                WHERE room_id = ? AND noise = 0 AND id >= ? AND id <= ? AND kind = 0 AND body IS NOT NULL
                ORDER BY id LIMIT \(Self.mostStored)
                """)
        try statement.forEach({
            $0.bind(1, room)
            $0.bind(2, first.advanced(byMicroseconds: -ShiftedTexts.largest).microseconds)
            $0.bind(3, last.advanced(byMicroseconds: ShiftedTexts.largest).microseconds)
        }) { row in
            let time = StoredOccurrences.time(id: try row.time(0).microseconds, source: try row.claim(1))
            texts.compare(try row.text(2), storedAt: time)
        }
        return texts.result
    }
}
