import ChatModel
import GRDB

/// Since when a room is not among the account's own, and why.
struct Departure: Sendable {
    /// When that was noticed, in microseconds since 1970.
    var at: Int64
    var reason: EndReason

    /// Nil for a room that is neither left nor gone.
    init?(leftAt: Int64?, goneAt: Int64?) {
        guard let at = [leftAt, goneAt].compactMap(\.self).min() else { return nil }
        (self.at, reason) = (at, goneAt == nil ? .left : .gone)
    }

    static func read(room: Int64, _ db: Database) throws -> Departure? {
        let statement = try db.cachedStatement(sql: "SELECT left_at_us, gone_at_us FROM room WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [room]).flatMap {
            try Departure(leftAt: $0.value(0), goneAt: $0.value(1))
        }
    }

    /// Whether the room was heard until then, so that nothing is missing of it: else its last span had ended before, for
    /// another reason.
    func endsSpan(at end: Int64, reason: String?) -> Bool {
        end >= at - 1 || reason == EndReason.left.rawValue || reason == EndReason.gone.rawValue
    }
}
