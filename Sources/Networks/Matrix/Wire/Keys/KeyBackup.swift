import Crypto
import CryptoExtras
import FoundationEssentials

/// The homeserver's answer to `/room_keys/version`: the account's newest key backup (client-server API 1.19, "Server-side key
/// backups").
package struct KeyBackupVersion: Sendable, Hashable, Decodable {
    package var version: String
    package var algorithm: String
    package var auth_data: Authentication
    /// The number of sessions.
    package var count: Int?
    /// Changes with each change of the sessions.
    package var etag: String?

    package struct Authentication: Sendable, Hashable, Decodable {
        package var public_key: String?
    }
}

/// The private key of an account's key backup. It decrypts the keys of all messages that the account's clients have uploaded.
package struct KeyBackup: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: Curve25519.KeyAgreement.PrivateKey

    /// The name of the secret that has the private key.
    package static let secretName = "m.megolm_backup.v1"
    private static let algorithm = "m.megolm_backup.v1.curve25519-aes-sha2"

    package var description: String { "key of a backup" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
    package var bytes: [UInt8] { Array(key.rawRepresentation) }

    /// - Throws: ``DecryptionError`` for bytes of another length.
    package init(privateKey: [UInt8]) throws(DecryptionError) {
        do {
            key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
        } catch {
            throw DecryptionError("the key of the backup is damaged")
        }
    }

    /// Checks that a backup was made with this key.
    ///
    /// - Throws: ``DecryptionError`` that says why not.
    package func check(_ version: KeyBackupVersion) throws(DecryptionError) {
        let name = "the key backup (version \(version.version.prefix(Self.shownLetters)))"
        guard version.algorithm == Self.algorithm else { throw DecryptionError("\(name) has an unknown form") }
        guard let found = version.auth_data.public_key.flatMap({ Data(unpadded: $0) }) else {
            throw DecryptionError("\(name) is damaged")
        }
        let own = key.publicKey.rawRepresentation
        if found == own { return }
        // Nheko 0.11.3 encodes the public key twice, and never uploads a session to such a backup.
        if Data(unpadded: String(decoding: found, as: UTF8.self)) == own {
            throw DecryptionError(
                "\(name) is unusable: Nheko wrote its public key in base64 twice; reset the backup in another client")
        }
        throw DecryptionError("the recovery key does not belong to \(name)")
    }

    /// The limit of characters of a version in messages. Homeservers use numbers.
    private static let shownLetters = 40
}

/// A session as a backup has it.
package struct BackedUpSession: Sendable, Hashable, Decodable {
    package var session_data: Ciphertext

    package struct Ciphertext: Sendable, Hashable, Decodable {
        package var ephemeral: String
        package var ciphertext: String
        package var mac: String
    }
}

extension KeyBackup {
    private struct Content: Decodable {
        var algorithm: String
        var session_key: String
    }

    /// Decrypts a session.
    ///
    /// Whoever knows the backup's public key can put sessions into the backup, so also the homeserver.
    ///
    /// - Parameter id: The id by which the backup has the session.
    /// - Throws: ``DecryptionError``
    package func decrypt(_ session: BackedUpSession, id: String) throws(DecryptionError) -> MegolmSession {
        let data = session.session_data
        guard let ephemeral = Data(unpadded: data.ephemeral), let text = Data(unpadded: data.ciphertext),
            let mac = Data(unpadded: data.mac)
        else { throw Self.damaged }
        let plain: Data
        do {
            let other = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: ephemeral)
            let keys = try key.sharedSecretFromKeyAgreement(with: other).hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: [UInt8](repeating: 0, count: 32), sharedInfo: [UInt8](), outputByteCount: 80
            ).withUnsafeBytes { Array($0) }
            // The code of the empty text: a mistake in libolm that all clients repeat.
            let code = HMAC<SHA256>.authenticationCode(for: [UInt8](), using: SymmetricKey(data: keys[32..<64]))
            guard ConstantTime.areEqual(Array(code).prefix(Self.codeBytes), mac) else { throw Self.damaged }
            plain = try AES._CBC.decrypt(
                text, using: SymmetricKey(data: keys[..<32]), iv: AES._CBC.IV(ivBytes: keys[64...]))
        } catch {
            throw Self.damaged
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: plain),
            content.algorithm == MegolmSession.algorithm, let read = MegolmSession(exported: content.session_key)
        else { throw DecryptionError("a session of the key backup has an unknown form") }
        guard read.hasID(id) else { throw DecryptionError("a session of the key backup has the id of another session") }
        return read
    }

    private static let codeBytes = 8
    private static let damaged = DecryptionError("a session of the key backup can't be decrypted")
}
