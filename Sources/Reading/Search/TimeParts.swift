import Records
import Schema

/// A part of an account's time.
struct TimePart: Sendable, Hashable {
    /// The exclusive bounds, in microseconds since 1970.
    var after: Int64
    var before: Int64
}

/// Parts a time of an account's file, so that several threads can read it.
enum TimeParts {
    /// Returns parts with about as many messages each, the newest first. Those that are not counted yet are in the last one.
    ///
    /// - Parameters:
    ///   - time: The time to part.
    ///   - size: The number of messages of a part; nil for two parts with half of the messages each.
    static func parts(of time: TimePart, size: Int64?, _ db: ReadTransaction) throws -> [TimePart] {
        var rows: [(start: Int64, messages: Int64)] = []
        try CountReader(db)?.forEachSum { _, quarter, messages in
            let start = QuarterHour.start(of: quarter)
            if start > time.after, start < time.before { rows.append((start, messages)) }
        }
        rows.sort { $0.start > $1.start }
        let size = size ?? rows.reduce(0) { $0 &+ $1.messages } / 2 + 1
        var (parts, end, messages) = ([TimePart](), time.before, Int64(0))
        for row in rows {
            // A damaged file may have any numbers.
            messages = messages &+ row.messages
            guard messages >= size, row.start < end else { continue }
            parts.append(TimePart(after: row.start - 1, before: end))
            (end, messages) = (row.start, 0)
        }
        return parts + [TimePart(after: time.after, before: end)]
    }
}
