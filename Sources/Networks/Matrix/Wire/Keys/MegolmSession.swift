import Crypto
import CryptoExtras
import FoundationEssentials

/// The reason why encrypted bytes can't be read, for people.
package struct DecryptionError: Error, Sendable, Hashable, CustomStringConvertible {
    package var reason: String

    package init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}

/// The key of one device's messages in a room, from one message on (Megolm, as in
/// <https://gitlab.matrix.org/matrix-org/olm/-/blob/master/docs/megolm.md>).
package struct MegolmSession: Sendable {
    /// The number of the first message that the key reads.
    package let first: UInt32
    private let start: Ratchet
    /// The ratchet of the message that was read last, so that the next one takes few steps.
    private var latest: Ratchet
    private let signer: Curve25519.Signing.PublicKey

    /// A byte for the version, the number, four parts of 32 bytes, and the public key.
    private static let exportedBytes = 1 + 4 + 128 + 32
    private static let exportedVersion: UInt8 = 1
    private static let messageVersion: UInt8 = 3
    /// The name of the encryption in events and keys.
    package static let algorithm = "m.megolm.v1.aes-sha2"
    private static let (macBytes, signatureBytes) = (8, 64)

    /// Reads a `session_key` of a key export. Nil for another form.
    package init?(exported key: String) {
        guard let bytes = Data(unpadded: key).map(Array.init), bytes.count == Self.exportedBytes,
            bytes[0] == Self.exportedVersion,
            let signer = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes.suffix(32))
        else { return nil }
        first = bytes[1...4].reduce(0) { $0 << 8 | UInt32($1) }
        start = Ratchet(parts: (0..<4).map { Array(bytes[(5 + 32 * $0)..<(37 + 32 * $0)]) }, number: first)
        (latest, self.signer) = (start, signer)
    }

    /// Returns true if this is the session's id: the public key of its device's messages.
    package func hasID(_ id: String) -> Bool { Data(unpadded: id) == signer.rawRepresentation }

    /// Returns the text of a message: the JSON of its type and content.
    ///
    /// - Parameter ciphertext: The event's `ciphertext`, in base64.
    /// - Throws: ``DecryptionError``
    package mutating func decrypt(_ ciphertext: String) throws(DecryptionError) -> [UInt8] {
        guard let bytes = Data(unpadded: ciphertext).map(Array.init),
            bytes.count > Self.macBytes + Self.signatureBytes, bytes[0] == Self.messageVersion
        else { throw DecryptionError("it is not a message of Megolm") }
        let signed = bytes.dropLast(Self.signatureBytes)
        guard signer.isValidSignature(bytes.suffix(Self.signatureBytes), for: signed) else {
            throw DecryptionError("its signature is wrong")
        }
        let (number, text) = try Self.fields(of: signed.dropLast(Self.macBytes))
        guard number >= first else { throw DecryptionError("the key begins with a later message") }
        if number < latest.number { latest = start }
        latest.advance(to: number)
        let keys = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: latest.bytes), salt: [UInt8](), info: Array("MEGOLM_KEYS".utf8),
            outputByteCount: 80
        ).withUnsafeBytes { Array($0) }
        let mac = HMAC<SHA256>.authenticationCode(
            for: signed.dropLast(Self.macBytes), using: SymmetricKey(data: keys[32..<64]))
        guard ConstantTime.areEqual(Array(mac).prefix(Self.macBytes), signed.suffix(Self.macBytes)) else {
            throw DecryptionError("the key does not fit")
        }
        do {
            return Array(
                try AES._CBC.decrypt(
                    text, using: SymmetricKey(data: keys[..<32]), iv: AES._CBC.IV(ivBytes: keys[64...])))
        } catch {
            throw DecryptionError("the key does not fit")
        }
    }

    /// Returns the number of a message in its session, which is not encrypted; nil for bytes of another form.
    ///
    /// - Parameter ciphertext: The event's `ciphertext`, in base64.
    static func number(of ciphertext: String) -> UInt32? {
        guard let bytes = Data(unpadded: ciphertext).map(Array.init), bytes.count > macBytes + signatureBytes,
            bytes[0] == messageVersion
        else { return nil }
        return try? fields(of: bytes.dropLast(macBytes + signatureBytes)).0
    }

    /// Reads the number of a message (tag 8) and its text (tag 18), as protocol buffers write them.
    private static func fields(of bytes: ArraySlice<UInt8>) throws(DecryptionError) -> (UInt32, [UInt8]) {
        var rest = bytes.dropFirst()
        var (number, text): (UInt32?, [UInt8]?)
        while let tag = rest.popFirst() {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            var isLast = false
            while !isLast, let byte = rest.popFirst(), shift < 35 {
                value |= UInt64(byte & 0x7F) << shift
                (shift, isLast) = (shift + 7, byte & 0x80 == 0)
            }
            guard isLast else { throw DecryptionError("it breaks off") }
            switch tag {
            case 0x08: number = UInt32(exactly: value)
            case 0x12:
                guard value <= UInt64(rest.count) else { throw DecryptionError("it breaks off") }
                text = Array(rest.prefix(Int(value)))
                rest = rest.dropFirst(Int(value))
            default: throw DecryptionError("it has an unknown field")
            }
        }
        guard let number, let text else { throw DecryptionError("it breaks off") }
        return (number, text)
    }
}

/// Four hashes, which can be advanced and not turned back.
private struct Ratchet: Sendable {
    private(set) var parts: [[UInt8]]
    private(set) var number: UInt32

    init(parts: [[UInt8]], number: UInt32) { (self.parts, self.number) = (parts, number) }

    var bytes: [UInt8] { Array(parts.joined()) }

    /// Takes at most 256 steps for each part, because a step of a part makes all parts after it.
    ///
    /// - Parameter target: A number that is not before the present one.
    mutating func advance(to target: UInt32) {
        for part in 0..<4 {
            let shift = UInt32(3 - part) * 8
            var steps = ((target >> shift) &- (number >> shift)) & 0xFF
            if steps == 0 {
                // A carry from the part before has made this number larger than the target.
                guard target < number else { continue }
                steps = 0x100
            }
            for _ in 1..<steps { rehash(part, to: part) }
            for later in stride(from: 3, through: part, by: -1) { rehash(part, to: later) }
            number = target & (UInt32.max << shift)
        }
    }

    private mutating func rehash(_ from: Int, to: Int) {
        parts[to] = Array(
            HMAC<SHA256>.authenticationCode(for: [UInt8(to)], using: SymmetricKey(data: parts[from])))
    }
}

extension Data {
    /// Reads base64 without padding, as Matrix writes it; nil for another form.
    init?(unpadded text: String) {
        self.init(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}
