import ChatModel
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
}
