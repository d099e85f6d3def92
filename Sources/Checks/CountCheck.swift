import ChatModel
import Moves
import Records
import SQLite
import Schema

/// Checks that the kept counts are those of the messages, and that their rows are as they are written.
///
/// A sum over the messages, and one over the counts, of a number for each room, quarter of an hour and sender agree only if the counts
/// do. There is a sum for each room and 85 days, so that the memory hardly grows with the messages.
struct CountCheck {
    /// The sums of the messages, less those of the counts.
    private var sums: [Part: UInt64] = [:]
    /// The sum of the last part.
    private var last: (part: Part, sum: UInt64)?
    private var damaged: [String] = []
    /// The first quarter of an hour that is counted.
    private let from: Int64

    /// The place of a sum.
    private struct Part: Hashable, Comparable {
        var room: Int64
        /// The quarters of an hour divided by 2^13.
        var time: Int64

        init(room: Int64, quarter: Int64) { (self.room, time) = (room, quarter >> 13) }

        static func < (one: Part, other: Part) -> Bool { (one.room, one.time) < (other.room, other.time) }

        var sentence: String {
            let (first, end) = (QuarterHour.start(of: time << 13), QuarterHour.start(of: (time + 1) << 13))
            return "room \(room): the message counts from \(MessageID(microseconds: first)) to "
                + "\(MessageID(microseconds: end - 1)) are not those of its messages"
        }
    }

    private init(from: Int64) { self.from = from }

    /// Returns a sentence for each wrong part, at most ``NamedCheck/shown``, and the number of further ones.
    static func problems(_ db: Database, progress: (Double) -> Void) throws -> [String] {
        // Both passes see one state of the file, also beside a writer.
        try db.inSavepoint {
            let from = try db.first(sql: "SELECT from_quarter FROM count_reach") { try $0.limit(0) }
            guard let from else { return ["the messages are not counted"] }
            var check = CountCheck(from: from)
            try check.addMessages(db, progress)
            try check.subtractCounts(db)
            let all = check.damaged + check.sums.filter { $0.value != 0 }.keys.sorted().map(\.sentence)
            let rest = all.count - NamedCheck.shown
            return rest > 0 ? Array(all.prefix(NamedCheck.shown)) + ["and \(rest) more"] : all
        }
    }

    private mutating func addMessages(_ db: Database, _ progress: (Double) -> Void) throws {
        let first = try Int64.fetchOne(db, sql: "SELECT min(id) FROM message") ?? 0
        let length = try Double(Int64.fetchOne(db, sql: "SELECT max(id) FROM message") ?? 0) - Double(first)
        var count = 0
        try db.forEach(
            sql: """
                SELECT id, room_id, sender_id, flags & \(MessageFlags.readOnArrival.rawValue) FROM message NOT INDEXED
                WHERE noise = 0 AND id >= ?
                """, arguments: [QuarterHour.start(of: from)]
        ) { row in
            let (id, room) = try (row.limit(0), row.limit(1))
            count += 1
            if count % (1 << 17) == 0, length > 0 { progress((Double(id) - Double(first)) / length) }
            let quarter = QuarterHour.number(of: id)
            guard CountPlace.id(room: room, quarter: quarter) != nil else { return }
            let key = CountKey(sender: try row.number(2), isRead: try row.limit(3) != 0)
            add(1, CountEntry(quarter: quarter, key: key, count: 1), room)
        }
    }

    private mutating func subtractCounts(_ db: Database) throws {
        var row = CountRow()
        var before: (room: Int64, quarter: Int64)?
        try db.forEach(sql: "SELECT id, counts, messages FROM message_count ORDER BY id") { columns in
            let id = try columns.limit(0)
            let (room, quarter) = (CountPlace.room(of: id), CountPlace.quarter(of: id))
            guard let bytes = columns.blobBytes(1), row.read(bytes, from: quarter), let last = row.quarters.last else {
                return damaged.append("room \(room): the message counts from \(Self.time(quarter)) can't be read")
            }
            let (entries, kept) = (row.entries, try columns.number(2))
            let isFirst = before?.room != room
            if !CountRow.pack(entries[...]).elementsEqual(bytes) || CountRow.rows(of: entries).count > 1
                || !isFirst && !CountRow.begins(entries)
                || before.map({ !isFirst && quarter <= $0.quarter }) ?? false || quarter < from
                || entries.reduce(0, { $0 + $1.count }) != kept
            {
                damaged.append("room \(room): the message counts from \(Self.time(quarter)) are not in their place")
            }
            before = (room, last.number)
            for entry in entries { add(0 &- UInt64(entry.count), entry, room) }
        }
        if let last { sums[last.part, default: 0] &+= last.sum }
        last = nil
    }

    private static func time(_ quarter: Int64) -> String {
        MessageID(microseconds: QuarterHour.start(of: quarter)).description
    }

    /// Adds a number of messages to the sum of their part.
    private mutating func add(_ count: UInt64, _ entry: CountEntry, _ room: Int64) {
        let part = Part(room: room, quarter: entry.quarter)
        if last?.part != part {
            if let last { sums[last.part, default: 0] &+= last.sum }
            last = (part, 0)
        }
        last?.sum &+= count &* Self.hash(entry)
    }

    /// Returns a number that differs for most quarters and keys, by the steps of SplitMix64.
    private static func hash(_ entry: CountEntry) -> UInt64 {
        var hash = UInt64(bitPattern: entry.key.rawValue) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(bitPattern: entry.quarter)
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}
