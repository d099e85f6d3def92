import Bytes
package import ChatModel
import FoundationEssentials
package import LogFormats

/// Reads encrypted messages of an archive with the room keys that a client has exported.
package struct MatrixRoomKeys: Sendable {
    private var sessions: [MatrixKeyFile.Place: MegolmSession]
    private var uses = MegolmUses()
    /// The number of keys in the file that can't be read.
    package let unreadable: Int

    package enum Outcome: Sendable {
        /// The message, and if it is an edit, the message that it changes with its new text.
        case read(ImportedMessage, edit: Edit?)
        case noKey
        /// It has no text for people, such as a vote. The message says so in its place.
        case nothing(ImportedMessage)
        case failed(reason: String)
    }

    package struct Edit: Sendable {
        package var target: String
        package var message: ImportedMessage
    }

    /// - Throws: ``DecryptionError`` for a file of another kind or a wrong passphrase.
    package init(_ file: [UInt8], passphrase: String) throws(DecryptionError) {
        let file = try MatrixKeyFile(file, passphrase: passphrase)
        (sessions, unreadable) = (file.sessions, file.unreadable)
    }

    /// Creates keys without a session.
    package init() { (sessions, unreadable) = ([:], 0) }

    /// Adds a session. Of two keys of one session, the one that reads more stays.
    package mutating func add(_ session: MegolmSession, at place: MatrixKeyFile.Place) {
        if let known = sessions[place], known.first <= session.first { return }
        sessions[place] = session
    }

    package func has(_ place: MatrixKeyFile.Place) -> Bool { sessions[place] != nil }

    /// Notes a message that an earlier run decrypted, so that a copy of its bytes is not decrypted as another person's words.
    package mutating func note(_ message: EncryptedMessage) {
        guard let event = EncryptedEvent(message.raw), let number = MegolmSession.number(of: event.ciphertext) else {
            return
        }
        uses.note(
            number, of: MatrixKeyFile.Place(room: message.room.key, session: event.session), in: event.id,
            by: event.sender)
    }

    package enum Opening: Sendable {
        /// The event as it would be without encryption, with the bytes of the encrypted one.
        case read(MatrixEvent)
        case noKey(MatrixKeyFile.Place)
        case failed(reason: String)
    }

    /// Decrypts an event. Call this for the events of a room in the order of time: of two events with the same bytes, the
    /// second one is a copy.
    ///
    /// - Parameter raw: The event as the homeserver sent it.
    package mutating func open(_ raw: [UInt8], room: String) -> Opening {
        guard let event = EncryptedEvent(raw) else { return .failed(reason: "its encryption is unknown") }
        let place = MatrixKeyFile.Place(room: room, session: event.session)
        guard var session = sessions[place] else { return .noKey(place) }
        do throws(DecryptionError) {
            let text = try session.decrypt(event.ciphertext)
            sessions[place] = session
            guard let number = MegolmSession.number(of: event.ciphertext) else {
                throw DecryptionError("it breaks off")
            }
            try uses.check(number, of: place, in: event.id, by: event.sender)
            uses.note(number, of: place, in: event.id, by: event.sender)
            return .read(try Self.event(text, raw, room))
        } catch {
            return .failed(reason: error.reason)
        }
    }

    private static func event(_ text: [UInt8], _ raw: [UInt8], _ room: String) throws(DecryptionError) -> MatrixEvent {
        var event: MatrixEvent
        do throws(MatrixEvent.Unreadable) {
            event = try MatrixEvent(raw, decrypted: text, room: room)
        } catch {
            throw DecryptionError(error.reason)
        }
        // A homeserver acts on these types, so their senders must not hide them from it.
        let isOfRoom = event.type.hasPrefix("m.room.") && event.type != "m.room.message"
        guard !isOfRoom, !event.type.hasPrefix("m.space.") else {
            throw DecryptionError("an event of the type \(event.type.prefix(longestType)) must not be encrypted")
        }
        event.raw = raw
        event.meaning = marked(event.meaning)
        return event
    }

    /// Marks a text as one that was encrypted. Its files are still encrypted, and an empty text is a text.
    private static func marked(_ meaning: MatrixEvent.Meaning) -> MatrixEvent.Meaning {
        func marked(_ said: MatrixEvent.Said) -> MatrixEvent.Said {
            MatrixEvent.Said(kind: said.kind, body: said.body ?? "", flags: said.flags.union(.encrypted))
        }
        return switch meaning {
        case .message(let said, let replyTo): .message(marked(said), replyTo: replyTo)
        case .edit(let target, let said): .edit(of: target, marked(said))
        default: meaning
        }
    }

    /// Decrypts a stored message, as ``open(_:room:)`` does.
    package mutating func decrypt(_ message: EncryptedMessage) -> Outcome {
        switch open(message.raw, room: message.room.key) {
        case .read(let event): Self.outcome(event, of: message)
        case .noKey: .noKey
        case .failed(let reason): .failed(reason: reason)
        }
    }

    private static func outcome(_ event: MatrixEvent, of message: EncryptedMessage) -> Outcome {
        func imported(_ kind: MessageKind, _ body: String?, flags: MessageFlags) -> ImportedMessage {
            ImportedMessage(
                room: message.room.name, roomKey: message.room.key, roomKind: message.room.kind, kind: kind,
                sender: message.sender.name, senderKey: message.sender.key, body: body, time: message.time,
                resolution: .microsecond, remoteID: message.remoteID, flags: flags)
        }
        switch event.meaning {
        case .message(let said, let target):
            var read = imported(said.kind, said.body ?? "", flags: said.flags)
            read.replyTo = target
            return .read(read, edit: nil)
        case .edit(let target, let said):
            // The edit itself has its text as a client without edits shows it.
            let own = imported(said.kind, said.body.map { "* \($0)" } ?? "", flags: said.flags)
            var edit = imported(said.kind, said.body, flags: said.flags)
            (edit.remoteID, edit.editedAt) = (target, message.time)
            return .read(own, edit: Edit(target: target, message: edit))
        default: return .nothing(imported(.action, words(for: event), flags: []))
        }
    }

    /// Returns the words for an event without a text for people.
    package static func words(for event: MatrixEvent) -> String {
        let type = String(event.type.prefix(longestType)).withoutNUL
        return type.hasSuffix("poll.response") ? "voted" : "sent an event without a text (\(type))"
    }

    /// The limit of characters of a type that is shown. A homeserver allows 255 bytes.
    private static let longestType = 255
}
