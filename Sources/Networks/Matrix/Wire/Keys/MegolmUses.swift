import ChatModel

/// The messages that used the numbers of Megolm sessions. A number serves for one message, and a session for one sender
/// (client-server API v1.11, 11.12.4.2): everything else is a copy, which a member of the room can send as his own words.
struct MegolmUses: Sendable {
    private struct Number: Hashable {
        var place: MatrixKeyFile.Place
        var number: UInt32
    }

    /// The ids of the messages.
    private var messages: [Number: String] = [:]
    /// The ids of the people who sent the first messages of the sessions.
    private var senders: [MatrixKeyFile.Place: String] = [:]

    /// Notes a message. The first one of a number and the first sender of a session stay.
    mutating func note(_ number: UInt32, of place: MatrixKeyFile.Place, in message: EncryptedMessage) {
        let key = Number(place: place, number: number)
        if messages[key] == nil { messages[key] = message.remoteID }
        if senders[place] == nil { senders[place] = message.sender.key }
    }

    /// - Throws: ``DecryptionError`` for a copy of another message.
    func check(
        _ number: UInt32, of place: MatrixKeyFile.Place, in message: EncryptedMessage
    ) throws(DecryptionError) {
        if let other = messages[Number(place: place, number: number)], other != message.remoteID {
            throw DecryptionError("it is a copy of the encrypted message \(other)")
        }
        if let sender = senders[place], sender != message.sender.key {
            throw DecryptionError("its key belongs to \(sender)")
        }
    }
}
