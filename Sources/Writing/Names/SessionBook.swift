import ChatModel
import FoundationEssentials
import Records
import SQLite
import Schema

/// Collects the progress of sessions until a batch ends, and determines the times of receipt of their messages.
struct SessionBook {
    /// The progress by session. Nearly always of one session, so a linear search is faster than a hash.
    private var progress: [(session: SessionID, progress: SessionProgress)] = []
    /// The lead of the times of receipt over the clock, for the session that was looked up last.
    private var ahead: (session: SessionID, microseconds: Int64)?

    mutating func advance(_ session: SessionID, to step: SessionProgress) {
        if let place = progress.firstIndex(where: { $0.session == session }) {
            progress[place].progress.advance(to: step)
        } else {
            progress.append((session, step))
        }
    }

    /// Notes a sign of life. Ignores imports, which have no session.
    mutating func noteSignOfLife(of session: SessionID?, at time: Timestamp) {
        if let session { advance(session, to: SessionProgress(signOfLife: time)) }
    }

    /// Notes the sign of life that a new message gives.
    ///
    /// Takes the message's id if its time is our time of receipt: messages of one read have ids after each other, and a
    /// gap must begin after the last one.
    mutating func noteSignOfLife(from message: IncomingMessage, storedAs id: Int64) {
        let isOurTime = message.plausibleTime == message.receivedAt
        noteSignOfLife(of: message.session, at: isOurTime ? Timestamp(microseconds: id) : message.receivedAt)
    }

    /// Stores the bytes of one read.
    mutating func storeChunk(_ chunk: JournalChunk, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO chunk (session_id, offset, received_at_us, bytes) VALUES (?, ?, ?, ?)
                ON CONFLICT (session_id, offset) DO NOTHING
                """
        ).execute(arguments: [
            chunk.session.rawValue, chunk.offset, chunk.receivedAt.microseconds, Data(chunk.bytes),
        ])
        advance(
            chunk.session,
            to: SessionProgress(signOfLife: chunk.receivedAt, bytes: chunk.offset + Int64(chunk.bytes.count)))
    }

    /// Returns the time of receipt by this machine's clock, and the flags of the message's row.
    ///
    /// Adds ``MessageFlags/clockAhead`` if the message's id comes from a time of receipt that is ahead of the clock.
    mutating func receipt(
        of message: IncomingMessage, _ db: Database
    ) throws -> (receivedAt: Int64, flags: MessageFlags) {
        let ahead = try message.session.map { try self.ahead(of: $0, db) } ?? 0
        let isLater = ahead > 0 && message.plausibleTime == message.receivedAt
        return (
            message.receivedAt.advanced(byMicroseconds: 0 &- ahead).microseconds,
            isLater ? message.flags.union(.clockAhead) : message.flags
        )
    }

    /// Stores the difference between the session's times of receipt and this machine's clocks.
    mutating func setOffset(_ offset: ReceiptOffset, of session: SessionID, _ db: Database) throws {
        try CoverageLedger.setReceiptOffset(offset, of: session, db)
        ahead = (session, offset.ahead)
    }

    /// Writes the progress of all sessions.
    mutating func flush(_ db: Database) throws {
        for (session, progress) in progress { try progress.record(of: session, db) }
        progress.removeAll(keepingCapacity: true)
    }

    private mutating func ahead(of session: SessionID, _ db: Database) throws -> Int64 {
        if let ahead, ahead.session == session { return ahead.microseconds }
        let statement = try db.cachedStatement(sql: "SELECT ahead_us FROM session WHERE id = ?")
        let stored = try Int64.first(statement, [session.rawValue]) ?? 0
        ahead = (session, stored)
        return stored
    }
}
