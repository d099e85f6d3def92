import Crypto
import CryptoExtras
import FoundationEssentials

/// The description of a key of an account's secret storage: the content of `m.secret_storage.key.ID` in its account data
/// (client-server API 1.19, "Secrets").
package struct SecretStorageKey: Sendable, Hashable, Decodable {
    package var algorithm: String
    /// Both are missing for a key that can't be checked.
    package var iv: String?
    package var mac: String?
    /// The way from a passphrase to the key; nil for a key without a passphrase.
    package var passphrase: Passphrase?

    package struct Passphrase: Sendable, Hashable, Decodable {
        package var algorithm: String
        package var salt: String
        package var iterations: Int
        package var bits: Int?
    }

    /// Returns true if the description belongs to this key, or does not say.
    ///
    /// - Throws: ``DecryptionError`` for a description of a form that this version does not know.
    package func accepts(_ key: RecoveryKey) throws(DecryptionError) -> Bool {
        guard algorithm == "m.secret_storage.v1.aes-hmac-sha2" else {
            throw DecryptionError("the account's secret storage has an unknown form")
        }
        guard let iv, let mac else { return true }
        guard let iv = Data(unpadded: iv), let mac = Data(unpadded: mac) else {
            throw DecryptionError("the account's secret storage is damaged")
        }
        let keys = SecretKeys(key, name: "")
        let zeros = try keys.crypt([UInt8](repeating: 0, count: RecoveryKey.byteCount), iv: iv)
        return keys.isCode(mac, of: zeros)
    }
}

/// A secret of an account, encrypted for one or more keys by their ids.
package struct StoredSecret: Sendable, Hashable, Decodable {
    package var encrypted: [String: Ciphertext]

    package struct Ciphertext: Sendable, Hashable, Decodable {
        package var iv: String
        package var ciphertext: String
        package var mac: String

        /// Decrypts a secret of 32 bytes, which is stored as base64.
        ///
        /// - Parameter name: The type of its account data, such as ``KeyBackup/secretName``.
        /// - Throws: ``DecryptionError``
        package func decrypt(_ name: String, with key: RecoveryKey) throws(DecryptionError) -> [UInt8] {
            guard let iv = Data(unpadded: iv), let text = Data(unpadded: ciphertext), let mac = Data(unpadded: mac)
            else {
                throw DecryptionError("the secret \(name) is damaged")
            }
            let keys = SecretKeys(key, name: name)
            guard keys.isCode(mac, of: text) else {
                throw DecryptionError("the secret \(name) was encrypted with another key")
            }
            let plain = try keys.crypt(text, iv: iv)
            guard let secret = Data(unpadded: String(decoding: plain, as: UTF8.self)),
                secret.count == RecoveryKey.byteCount
            else { throw DecryptionError("the secret \(name) is not a key") }
            return Array(secret)
        }
    }
}

/// The two keys of one secret.
private struct SecretKeys {
    private let encryption: SymmetricKey
    private let authentication: SymmetricKey

    init(_ key: RecoveryKey, name: String) {
        let bytes = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key.bytes), salt: [UInt8](repeating: 0, count: 32),
            info: Array(name.utf8), outputByteCount: 64
        ).withUnsafeBytes { Array($0) }
        (encryption, authentication) = (SymmetricKey(data: bytes[..<32]), SymmetricKey(data: bytes[32...]))
    }

    /// The bytes of an initial counter. Nheko 0.11.3 writes 32 and uses the first 16.
    private static let counterBytes = 16

    /// Encrypts or decrypts by AES-256-CTR, which is the same.
    func crypt(_ bytes: some DataProtocol, iv: Data) throws(DecryptionError) -> Data {
        do {
            return try AES._CTR.encrypt(
                bytes, using: encryption, nonce: AES._CTR.Nonce(nonceBytes: iv.prefix(Self.counterBytes)))
        } catch {
            throw DecryptionError("the account's secret storage is damaged")
        }
    }

    func isCode(_ code: Data, of bytes: Data) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: bytes, using: authentication)
    }
}
