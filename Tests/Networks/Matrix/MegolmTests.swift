import Foundation
import TestSupport
import Testing

@testable import MatrixWire

/// Encrypted messages are read with their keys, and with nothing else.
struct MegolmTests {
    private func body(_ text: [UInt8]) throws -> String? {
        let event = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
        return (event?["content"] as? [String: Any])?["body"] as? String
    }

    @Test func `messages are decrypted in any order`() throws {
        for order in [[0, 1, 255, 256, 299], [299, 256, 255, 1, 0], [255, 0, 299, 1, 256]] {
            var session = try #require(MegolmSession(exported: MegolmSample.key))
            for number in order {
                let text = try session.decrypt(MegolmSample.messages[number] ?? "")
                #expect(try body(text) == MegolmSample.body(number))
            }
        }
    }

    @Test func `a key decrypts nothing before its first message`() throws {
        var session = try #require(MegolmSession(exported: MegolmSample.keyFromMessage256))
        #expect(session.first == 256)
        #expect(try body(session.decrypt(MegolmSample.messages[299] ?? "")) == "secret 299")
        #expect(throws: DecryptionError("the key begins with a later message")) {
            try session.decrypt(MegolmSample.messages[255] ?? "")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `no message with a changed byte is accepted, and none traps`() throws {
        var session = try #require(MegolmSession(exported: MegolmSample.key))
        let message = try #require(Data(unpadded: MegolmSample.messages[1] ?? ""))
        for place in message.indices {
            for changed in [message[place] ^ 1, 0, 255] where changed != message[place] {
                var bytes = message
                bytes[place] = changed
                #expect(throws: DecryptionError.self) { try session.decrypt(bytes.base64EncodedString()) }
            }
            #expect(throws: DecryptionError.self) { try session.decrypt(message[..<place].base64EncodedString()) }
        }
        for text in ["", "AAAA", "가", "A"] { #expect(throws: DecryptionError.self) { try session.decrypt(text) } }
    }

    @Test(arguments: ["", "AQ", String(repeating: "A", count: 220), "가나다"])
    func `another text is not a key`(text: String) {
        #expect(MegolmSession(exported: text) == nil)
    }

    @Test func `a key file needs its passphrase`() throws {
        let bytes = Array(MegolmSample.file.utf8)
        let file = try MatrixKeyFile(bytes, passphrase: MegolmSample.passphrase)
        var session = try #require(file.sessions[MatrixKeyFile.Place(room: "!r:x", session: MegolmSample.session)])
        #expect(file.sessions.count == 1 && file.unreadable == 0)
        #expect(try body(session.decrypt(MegolmSample.messages[0] ?? "")) == MegolmSample.body(0))
        #expect(throws: DecryptionError("the passphrase is wrong, or the file is damaged")) {
            try MatrixKeyFile(bytes, passphrase: "correct horse")
        }
        #expect(throws: DecryptionError("it is not an export of room keys")) {
            try MatrixKeyFile(Array("hello".utf8), passphrase: "")
        }
        for place in stride(from: 0, to: bytes.count, by: 7) {
            _ = try? MatrixKeyFile(Array(bytes[..<place]), passphrase: "x")
        }
    }
}
