import Crypto
import CryptoExtras
import FoundationEssentials

/// A key of 32 bytes that a person keeps, as a text in base58 or made from a passphrase (specification 1.19, appendix
/// "Cryptographic key representation"). It opens the account's secret storage, or in old accounts the key backup itself.
package struct RecoveryKey: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let bytes: [UInt8]

    package static let byteCount = 32
    /// The first two bytes of the text's 35 bytes. The last one makes the XOR of all bytes zero.
    private static let start: [UInt8] = [0x8B, 0x01]
    /// The characters of 35 bytes that begin with ``start``.
    private static let letterCount = 48
    /// Bitcoin's base58.
    private static let digits: [Character: Int] = Dictionary(
        zip("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 0...), uniquingKeysWith: { first, _ in first }
    )

    package var description: String { "recovery key" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// - Returns: Nil for bytes of another length.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads the text of a key. White space does not matter.
    ///
    /// - Throws: ``DecryptionError``, which has none of the key's characters.
    package init(text: String) throws(DecryptionError) {
        let letters = text.filter { !$0.isWhitespace }
        guard letters.allSatisfy({ Self.digits[$0] != nil }) else {
            throw DecryptionError("the recovery key has a character that no recovery key has, such as 0, O, I or l")
        }
        guard letters.count == Self.letterCount else {
            throw DecryptionError(
                "the recovery key has \(letters.count) characters without its spaces; it needs \(Self.letterCount)")
        }
        var bytes = [UInt8](repeating: 0, count: Self.start.count + Self.byteCount + 1)
        for letter in letters {
            var carry = Self.digits[letter] ?? 0
            for place in bytes.indices.reversed() {
                carry += Int(bytes[place]) * Self.digits.count
                bytes[place] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            guard carry == 0 else { throw Self.typingError }
        }
        guard bytes.reduce(0, ^) == 0, bytes.starts(with: Self.start) else { throw Self.typingError }
        self.bytes = Array(bytes.dropFirst(Self.start.count).dropLast())
    }

    private static let typingError = DecryptionError("the recovery key has a typing error")

    /// Makes a key from a passphrase by PBKDF2 with HMAC-SHA-512.
    ///
    /// - Throws: ``DecryptionError`` for a method that this version does not know, or with too many rounds.
    package init(
        passphrase: String, _ method: SecretStorageKey.Passphrase,
        maximumRounds: Int = MatrixKeyFile.maximumRounds
    ) throws(DecryptionError) {
        guard method.algorithm == "m.pbkdf2", method.bits ?? 8 * Self.byteCount == 8 * Self.byteCount else {
            throw DecryptionError("the account's passphrase has an unknown form")
        }
        guard (1...maximumRounds).contains(method.iterations) else {
            throw DecryptionError("the account's passphrase has \(method.iterations) rounds of hashing")
        }
        do {
            bytes = try KDF.Insecure.PBKDF2.deriveKey(
                from: Array(passphrase.utf8), salt: Array(method.salt.utf8), using: .sha512,
                outputByteCount: Self.byteCount, unsafeUncheckedRounds: method.iterations
            ).withUnsafeBytes { Array($0) }
        } catch {
            throw DecryptionError("the passphrase can't be used")
        }
    }
}
