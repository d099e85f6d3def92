import ChatModel
import Sessions
import TestSupport
import Testing

@testable import MatrixWire

/// Stored ciphertexts become the messages that their authors encrypted, and nothing else.
struct MatrixRoomKeysTests {
    private let room = RoomReference(key: "!r:x", name: "r", kind: .channel)

    private func keys() throws -> MatrixRoomKeys {
        try MatrixRoomKeys(Array(MegolmOddSample.file.utf8), passphrase: MegolmOddSample.passphrase)
    }

    private func encrypted(_ ciphertext: String, id: String = "$1", by sender: String = "@alice:x") -> EncryptedMessage
    {
        let raw = """
            {"type": "m.room.encrypted", "event_id": "\(id)", "sender": "\(sender)", "origin_server_ts": 1795000000000,
             "content": {"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "\(ciphertext)",
             "session_id": "\(MegolmOddSample.session)"}}
            """
        let time = Timestamp(milliseconds: 1_795_000_000_000)
        return EncryptedMessage(
            id: MessageID(time), room: room, sender: UserReference(key: sender, name: sender), remoteID: id, time: time,
            raw: Array(raw.utf8))
    }

    @Test func `a message has its text`() throws {
        var keys = try keys()
        guard case .read(let message, nil) = keys.decrypt(encrypted(MegolmOddSample.text)) else {
            Issue.record("not read")
            return
        }
        #expect(message.body == "own words" && message.kind == .message && message.remoteID == "$1")
    }

    @Test(arguments: [
        (MegolmOddSample.vote, "voted"), (MegolmOddSample.own, "sent an event without a text (org.example.own)"),
    ])
    func `an event without a text says so, and is not encrypted any longer`(ciphertext: String, words: String) throws {
        var keys = try keys()
        guard case .nothing(let message) = keys.decrypt(encrypted(ciphertext)) else {
            Issue.record("not read")
            return
        }
        #expect(message.body == words && message.kind == .action && message.remoteID == "$1")
    }

    private func reason(_ outcome: MatrixRoomKeys.Outcome) -> String? {
        if case .failed(let reason) = outcome { reason } else { nil }
    }

    private func isRead(_ outcome: MatrixRoomKeys.Outcome) -> Bool { if case .read = outcome { true } else { false } }

    @Test(arguments: ["@eve:x", "@alice:x"])
    func `a copy of a message is not decrypted, whoever sends it`(sender: String) throws {
        var keys = try keys()
        #expect(isRead(keys.decrypt(encrypted(MegolmOddSample.text))))
        let copy = keys.decrypt(encrypted(MegolmOddSample.text, id: "$2", by: sender))
        #expect(reason(copy) == "it is a copy of another encrypted message")
        #expect(isRead(keys.decrypt(encrypted(MegolmOddSample.text))), "the message itself may come again")
    }

    @Test(arguments: ["@eve:x", "@alice:x"])
    func `a copy of a message that an earlier run decrypted is not decrypted`(sender: String) throws {
        var keys = try keys()
        keys.note(encrypted(MegolmOddSample.text))
        let copy = keys.decrypt(encrypted(MegolmOddSample.text, id: "$2", by: sender))
        #expect(reason(copy) == "it is a copy of another encrypted message")
    }

    @Test func `another person's key decrypts nothing, even if the copied message is not stored`() throws {
        var keys = try keys()
        keys.note(encrypted(MegolmOddSample.vote))
        let copy = keys.decrypt(encrypted(MegolmOddSample.text, id: "$2", by: "@eve:x"))
        #expect(reason(copy) == "its key belongs to @alice:x")
        #expect(isRead(keys.decrypt(encrypted(MegolmOddSample.text, id: "$3"))), "the copy uses up no number")
    }

    @Test func `a damaged message uses up no number`() throws {
        var keys = try keys()
        var damaged = MegolmOddSample.text
        damaged.replaceSubrange(
            damaged.index(damaged.endIndex, offsetBy: -20)..., with: String(repeating: "A", count: 20))
        #expect(reason(keys.decrypt(encrypted(damaged, id: "$0", by: "@eve:x"))) != nil)
        #expect(isRead(keys.decrypt(encrypted(MegolmOddSample.text))))
    }

    @Test func `a key of another room decrypts nothing`() throws {
        var keys = try keys()
        var moved = encrypted(MegolmOddSample.text)
        moved.room.key = "!other:x"
        guard case .noKey = keys.decrypt(moved) else {
            Issue.record("a key was found")
            return
        }
    }
}
