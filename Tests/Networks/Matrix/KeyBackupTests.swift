import Foundation
import TestSupport
import Testing

@testable import MatrixWire

/// A recovery key or a passphrase opens the account's key backup, and every other value is refused with its reason.
struct KeyBackupTests {
    private let passphrase = SecretStorageKey.Passphrase(
        algorithm: "m.pbkdf2", salt: "invented-salt", iterations: 1000, bits: 256)

    private func recoveryKey() throws -> RecoveryKey { try RecoveryKey(text: KeyBackupSample.recoveryKey) }

    private func decoded<Value: Decodable>(_ json: String, _: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    private func ciphertext() throws -> StoredSecret.Ciphertext {
        try #require(try decoded(KeyBackupSample.secret, StoredSecret.self).encrypted["KEY"])
    }

    private func backup() throws -> KeyBackup {
        try KeyBackup(privateKey: try ciphertext().decrypt(KeyBackup.secretName, with: recoveryKey()))
    }

    private func version(_ publicKey: String?, algorithm: String = "m.megolm_backup.v1.curve25519-aes-sha2")
        -> KeyBackupVersion
    {
        KeyBackupVersion(
            version: "3", algorithm: algorithm, auth_data: KeyBackupVersion.Authentication(public_key: publicKey))
    }

    @Test(arguments: [" ", "", "\n\t", "\u{A0}"])
    func `a recovery key is read with any white space`(separator: String) throws {
        let text = KeyBackupSample.recoveryKey.replacing(" ", with: separator)
        #expect(try RecoveryKey(text: text).bytes == KeyBackupSample.recoveryKeyBytes)
    }

    @Test func `each wrong character of a recovery key is a typing error`() throws {
        let letters = Array(KeyBackupSample.recoveryKey.filter { $0 != " " })
        for place in letters.indices {
            for other in ["1", "z", "5"] as [Character] where other != letters[place] {
                var wrong = letters
                wrong[place] = other
                #expect(throws: DecryptionError("the recovery key has a typing error")) {
                    try RecoveryKey(text: String(wrong))
                }
            }
        }
    }

    @Test(arguments: [
        ("", "the recovery key has 0 characters without its spaces; it needs 48"),
        ("EsSz ykH7", "the recovery key has 8 characters without its spaces; it needs 48"),
        ("EsSz 0OIl", "the recovery key has a character that no recovery key has, such as 0, O, I or l"),
        ("가나다", "the recovery key has a character that no recovery key has, such as 0, O, I or l"),
    ])
    func `a text of another form is refused with its reason`(text: String, reason: String) {
        #expect(throws: DecryptionError(reason)) { try RecoveryKey(text: text) }
    }

    @Test func `a key shows nothing of itself`() throws {
        let (key, backup) = (try recoveryKey(), try backup())
        #expect("\(key)" == "recovery key" && Mirror(reflecting: key).children.isEmpty)
        #expect("\(backup)" == "key of a backup" && Mirror(reflecting: backup).children.isEmpty)
    }

    @Test func `a passphrase makes its key`() throws {
        let key = try RecoveryKey(passphrase: KeyBackupSample.passphrase, passphrase)
        let hexadecimal = key.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hexadecimal == KeyBackupSample.passphraseKey)
    }

    @Test func `a passphrase of another form is refused`() throws {
        var (many, other, long) = (passphrase, passphrase, passphrase)
        many.iterations = .max
        other.algorithm = "org.example"
        long.bits = 512
        for method in [many, other, long] {
            #expect(throws: DecryptionError.self) { try RecoveryKey(passphrase: "x", method) }
        }
    }

    @Test func `the description of a key accepts its key and no other`() throws {
        let description = try decoded(KeyBackupSample.key, SecretStorageKey.self)
        #expect(try description.accepts(recoveryKey()))
        #expect(try !description.accepts(RecoveryKey(passphrase: "x", passphrase)))
    }

    @Test func `a description with an initial counter of 32 bytes is read as Nheko means it`() throws {
        var description = try decoded(KeyBackupSample.key, SecretStorageKey.self)
        let counter = try #require(Data(unpadded: description.iv ?? ""))
        description.iv = (counter + Data(repeating: 7, count: 16)).base64EncodedString()
        #expect(try description.accepts(recoveryKey()))
    }

    @Test func `a description without a check accepts any key, and one of another form none`() throws {
        #expect(
            try decoded(#"{"algorithm": "m.secret_storage.v1.aes-hmac-sha2"}"#, SecretStorageKey.self)
                .accepts(recoveryKey()))
        #expect(throws: DecryptionError("the account's secret storage has an unknown form")) {
            try decoded(#"{"algorithm": "org.example"}"#, SecretStorageKey.self).accepts(recoveryKey())
        }
    }

    @Test func `a secret is read with its key, padded or not`() throws {
        let secret = try ciphertext().decrypt(KeyBackup.secretName, with: recoveryKey())
        #expect(Data(secret) == Data(unpadded: KeyBackupSample.privateKey))
        var padded = try ciphertext()
        padded.iv += "=="
        #expect(try padded.decrypt(KeyBackup.secretName, with: recoveryKey()) == secret)
    }

    @Test func `a secret is refused with another key, another name or a changed byte`() throws {
        let (key, other) = (try recoveryKey(), try RecoveryKey(passphrase: "x", passphrase))
        let wrong = DecryptionError("the secret m.megolm_backup.v1 was encrypted with another key")
        #expect(throws: wrong) { try ciphertext().decrypt(KeyBackup.secretName, with: other) }
        #expect(throws: DecryptionError.self) { try ciphertext().decrypt("m.cross_signing.master", with: key) }
        var changed = try ciphertext()
        changed.ciphertext = "A" + changed.ciphertext.dropFirst()
        #expect(throws: wrong) { try changed.decrypt(KeyBackup.secretName, with: key) }
    }

    @Test func `a backup belongs to its key`() throws {
        let backup = try backup()
        #expect(throws: Never.self) { try backup.check(version(KeyBackupSample.publicKey)) }
        #expect(throws: Never.self) { try backup.check(version(KeyBackupSample.publicKey + "=")) }
    }

    @Test func `another backup is refused with its reason`() throws {
        let backup = try backup()
        let twice = Data(KeyBackupSample.publicKey.utf8).base64EncodedString()
        let reasons: [(KeyBackupVersion, String)] = [
            (version(KeyBackupSample.privateKey), "the recovery key does not belong to the key backup (version 3)"),
            (version(nil), "the key backup (version 3) is damaged"),
            (version("가"), "the key backup (version 3) is damaged"),
            (version(KeyBackupSample.publicKey, algorithm: "x"), "the key backup (version 3) has an unknown form"),
            (
                version(twice),
                """
                the key backup (version 3) is unusable: Nheko wrote its public key in base64 twice; reset the backup in \
                another client
                """
            ),
        ]
        for (version, reason) in reasons {
            #expect(throws: DecryptionError(reason)) { try backup.check(version) }
        }
    }

    @Test func `a session of the backup reads its messages`() throws {
        var session = try backup().decrypt(decoded(KeyBackupSample.backedUp), id: KeyBackupSample.session)
        for (number, message) in KeyBackupSample.messages {
            let text = String(decoding: try session.decrypt(message), as: UTF8.self)
            #expect(text.contains(#""body": "\#(KeyBackupSample.body(number))""#))
        }
    }

    @Test func `a session with the id of another one is refused`() throws {
        #expect(throws: DecryptionError("a session of the key backup has the id of another session")) {
            try backup().decrypt(decoded(KeyBackupSample.backedUp), id: KeyBackupSample.publicKey)
        }
    }

    @Test func `a session of another backup is refused`() throws {
        let other = try KeyBackup(privateKey: KeyBackupSample.recoveryKeyBytes)
        #expect(throws: DecryptionError("a session of the key backup can't be decrypted")) {
            try other.decrypt(decoded(KeyBackupSample.backedUp), id: KeyBackupSample.session)
        }
    }

    @Test func `an answer with sessions is read wherever it is split`() throws {
        let answer = """
            {"rooms": {"!a:x": {"sessions": {"one": \(KeyBackupSample.backedUp), "two": 5}},
             "!b:x": {"sessions": {"three": \(KeyBackupSample.backedUp)}, "more": {"x": 1}}}}
            """
        for size in [1, 7, 100, answer.utf8.count] {
            var (reader, found) = (BackedUpSessions(), [BackedUpSessions.Item]())
            let bytes = Array(answer.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += try reader.readItems(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(found.map(\.place.session) == ["one", "two", "three"])
            #expect(found.map(\.place.room) == ["!a:x", "!a:x", "!b:x"])
            #expect(found.map { $0.session != nil } == [true, false, true] && reader.isComplete)
        }
    }

    @Test func `an answer for one room has its room`() throws {
        var reader = BackedUpSessions(room: "!a:x")
        let found = try reader.readItems(Array(#"{"sessions": {"one": \#(KeyBackupSample.backedUp)}}"#.utf8))
        #expect(found.map(\.place) == [MatrixKeyFile.Place(room: "!a:x", session: "one")] && reader.isComplete)
        #expect(throws: MatrixFormError.self) { _ = try reader.readItems(Array("x".utf8)) }
    }
}
