package import ChatModel
package import Schema

extension CoverageLedger {
    /// The longest run of unreadable messages that is one gap, in microseconds. Each message takes 1 µs.
    private static let unreadableRun: Int64 = 1000

    /// Returns the instant up to which a room is complete from its first span on; nil if nothing is complete. Ignores
    /// the gaps that another request would not fill: unreadable messages of the network's history, and history that it
    /// does not have.
    ///
    /// - Parameter retriesLost: True to count history that the network did not have as a gap to fill, because the
    ///   network may have it now.
    package static func completeUntil(key: String, retriesLost: Bool = false, _ db: ReadTransaction) throws
        -> Timestamp?
    {
        try firstGap(key: key, retriesLost: retriesLost, db)?.from
    }

    /// Returns the room's first gap that another request may fill, as ``completeUntil(key:retriesLost:_:)``; its end is
    /// nil if no span follows. Between two spans that touch, there is a gap without an instant, which may be filled
    /// as well.
    static func firstGap(
        key: String, retriesLost: Bool, _ db: ReadTransaction
    ) throws -> (from: Timestamp, to: Timestamp?)? {
        guard let room = try db.integer("SELECT \(MergeBook.room(key: "?1"))", [.text(key)]) else { return nil }
        return try CoveredSpan.sweep(room, db) { span, next in
            guard let span,
                span.reason != unreadable || next.map({ $0.from > span.to + unreadableRun }) ?? true,
                retriesLost || span.unfilled == nil || span.nextTry != nil
            else { return nil }
            return (Timestamp(microseconds: span.to), next.map { Timestamp(microseconds: $0.from) })
        }
    }
}
