/// The messages that used the numbers of Megolm sessions. A number serves for one message, and a session for one sender
/// (client-server API v1.11, 11.12.4.2): everything else is a copy, which a member of the room can send as his own words.
struct MegolmUses: Sendable {
    private struct Session {
        /// The id of the person who sent the first message.
        var sender: String
        /// The hashes of the messages' ids, by their numbers. The ids themselves would take five times the memory.
        var messages: [UInt32: Int] = [:]
    }

    private var sessions: [MatrixKeyFile.Place: Session] = [:]

    /// Notes a message. The first one of a number and the first sender of a session stay.
    mutating func note(_ number: UInt32, of place: MatrixKeyFile.Place, in id: String, by sender: String) {
        var session = sessions[place] ?? Session(sender: sender)
        if session.messages[number] == nil { session.messages[number] = id.hashValue }
        sessions[place] = session
    }

    /// - Throws: ``DecryptionError`` for a copy of another message.
    func check(
        _ number: UInt32, of place: MatrixKeyFile.Place, in id: String, by sender: String
    ) throws(DecryptionError) {
        guard let session = sessions[place] else { return }
        if let other = session.messages[number], other != id.hashValue {
            throw DecryptionError("it is a copy of another encrypted message")
        }
        if session.sender != sender { throw DecryptionError("its key belongs to \(session.sender)") }
    }
}
