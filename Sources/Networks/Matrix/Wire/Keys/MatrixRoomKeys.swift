import Bytes
package import ChatModel
import FoundationEssentials
import LogFormats

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

    private struct Event: Decodable { var content: Content }
    private struct Content: Decodable {
        var algorithm: String
        var ciphertext: String
        var session_id: String
    }

    /// Notes a message that an earlier run decrypted, so that a copy of its bytes is not decrypted as another person's words.
    package mutating func note(_ message: EncryptedMessage) {
        guard let content = Self.content(of: message), let number = MegolmSession.number(of: content.ciphertext) else {
            return
        }
        uses.note(number, of: MatrixKeyFile.Place(room: message.room.key, session: content.session_id), in: message)
    }

    private static func content(of message: EncryptedMessage) -> Content? {
        try? JSONDecoder().decode(Event.self, from: Data(message.raw)).content
    }

    /// Decrypts a message. Call this for the messages of a room in the order of time: of two messages with the same bytes, the
    /// second one is a copy.
    package mutating func decrypt(_ message: EncryptedMessage) -> Outcome {
        guard let content = Self.content(of: message), content.algorithm == MegolmSession.algorithm else {
            return .failed(reason: "its encryption is unknown")
        }
        let place = MatrixKeyFile.Place(room: message.room.key, session: content.session_id)
        guard var session = sessions[place] else { return .noKey }
        do throws(DecryptionError) {
            let text = try session.decrypt(content.ciphertext)
            sessions[place] = session
            guard let number = MegolmSession.number(of: content.ciphertext) else {
                throw DecryptionError("it breaks off")
            }
            try uses.check(number, of: place, in: message)
            uses.note(number, of: place, in: message)
            return read(text, of: message)
        } catch {
            return .failed(reason: error.reason)
        }
    }

    private func read(_ text: [UInt8], of message: EncryptedMessage) -> Outcome {
        let event: MatrixEvent
        do throws(MatrixEvent.Unreadable) {
            event = try MatrixEvent(message.raw, decrypted: text, room: message.room.key)
        } catch {
            return .failed(reason: error.reason)
        }
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
        default:
            let type = String(event.type.prefix(Self.longestType)).withoutNUL
            let words = type.hasSuffix("poll.response") ? "voted" : "sent an event without a text (\(type))"
            return .nothing(imported(.action, words, flags: []))
        }
    }

    /// The limit of characters of a type that is shown. A homeserver allows 255 bytes.
    private static let longestType = 255
}
