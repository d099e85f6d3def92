import ChatModel
import Reading
import Records
import SQLite

/// The place in the journal of the last message, if it was refused because its author is forgotten.
struct RefusedMessage {
    private var place: (session: SessionID, offset: Int64)?

    /// Notes the bytes of a refused message in the journal, whose end is not known yet.
    mutating func note(_ message: IncomingMessage) {
        guard let session = message.session,
            let offset = Journal.offset(of: message.remoteID, session: session.rawValue)
        else { return }
        place = (session, offset)
    }

    /// Overwrites the bytes of the message before this one in the journal if it was refused.
    mutating func overwrite(before message: IncomingMessage, _ db: Database) throws {
        guard let place, let end = Journal.offset(of: message.remoteID, session: place.session.rawValue) else { return }
        try overwrite(in: message.session, before: end, db)
    }

    /// Overwrites the bytes of a refused message of the session.
    ///
    /// - Parameter end: The offset of the next message in the journal.
    mutating func overwrite(in session: SessionID?, before end: Int64, _ db: Database) throws {
        guard let place, place.session == session, place.offset < end else { return }
        try Journal.overwrite(place.offset..<end, of: place.session.rawValue, db)
        self.place = nil
    }
}
