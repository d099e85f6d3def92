import ChatModel
import Foundation
import GRDB

/// Collects how far sessions have come until a batch ends, and dates the messages that they received.
struct SessionBook {
    private var progress: [SessionID: SessionProgress] = [:]
    /// The lead of the times of receipt over the clock, for the session that was asked for last.
    private var ahead: (session: SessionID, microseconds: Int64)?

    mutating func advance(_ session: SessionID, to step: SessionProgress) {
        progress[session, default: SessionProgress()].advance(to: step)
    }

    /// Notes a sign of life; imports have no session and give none.
    mutating func noteSignOfLife(of session: SessionID?, at time: Timestamp) {
        if let session { advance(session, to: SessionProgress(signOfLife: time)) }
    }

    /// Notes the sign of life that a new message gives.
    ///
    /// The last of several messages in one read has the latest id, and a gap begins after that id.
    mutating func noteSignOfLife(from message: IncomingMessage, storedAs id: Int64) {
        let isOurTime = message.believedTime == message.receivedAt
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
    /// The id is later than the message where it is a time of receipt and those are ahead of the clock.
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
