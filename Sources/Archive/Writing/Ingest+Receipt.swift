import ChatModel
import GRDB

/// When messages were received, by this machine's clock.
extension Ingest {
    /// The time of receipt and the flags of a message's row.
    ///
    /// An id is later than the message where it is a time of receipt and those are ahead of the clock.
    mutating func receipt(
        of message: IncomingMessage, _ db: Database
    ) throws -> (receivedAt: Int64, flags: MessageFlags) {
        let ahead = try message.session.map { try self.ahead(of: $0, db) } ?? 0
        let isLater = ahead > 0 && message.believedTime == message.receivedAt
        return (
            message.receivedAt.advanced(byMicroseconds: 0 &- ahead).microseconds,
            isLater ? message.flags.union(.clockAhead) : message.flags
        )
    }

    /// Stores how the session's times of receipt differ from this machine's clocks.
    mutating func setOffset(_ offset: ReceiptOffset, of session: SessionID, _ db: Database) throws {
        try CoverageLedger.setReceiptOffset(offset, of: session, db)
        ahead = (session, offset.ahead)
    }

    private mutating func ahead(of session: SessionID, _ db: Database) throws -> Int64 {
        if let ahead, ahead.session == session { return ahead.microseconds }
        let statement = try db.cachedStatement(sql: "SELECT ahead_us FROM session WHERE id = ?")
        let stored = try Int64.first(statement, [session.rawValue]) ?? 0
        ahead = (session, stored)
        return stored
    }
}
