import Bytes
import Crypto
import CryptoExtras
import FoundationEssentials

/// The room keys that a client exports, encrypted with a passphrase (client-server API v1.11, 11.12.3.2).
package struct MatrixKeyFile: Sendable {
    /// A room and a session, which a key belongs to.
    package struct Place: Hashable, Sendable {
        package var room: String
        package var session: String

        package init(room: String, session: String) { (self.room, self.session) = (room, session) }
    }

    package let sessions: [Place: MegolmSession]
    /// The number of keys in the file that can't be read.
    package let unreadable: Int

    /// The limit of rounds of hashing; clients use 100,000 to 500,000, in less than a second.
    package static let maximumRounds = 10_000_000
    private static let header = "-----BEGIN MEGOLM SESSION DATA-----"
    private static let end = "-----END MEGOLM SESSION DATA-----"
    /// A byte for the version, the salt, the initial counter, the rounds; and the code after the text.
    private static let (versionBytes, saltBytes, counterBytes, roundsBytes, codeBytes) = (1, 16, 16, 4, 32)

    private struct Key: Decodable {
        var room_id: String
        var session_id: String
        var session_key: String
    }
    private struct AnyKey: Decodable {
        var key: Key?
        init(from decoder: any Decoder) throws { key = try? Key(from: decoder) }
    }

    /// - Throws: ``DecryptionError``
    package init(
        _ bytes: [UInt8], passphrase: String, maximumRounds: Int = maximumRounds
    ) throws(DecryptionError) {
        guard let begin = Self.range(of: Self.header, in: bytes)?.upperBound,
            let end = Self.range(of: Self.end, in: bytes)?.lowerBound, begin <= end,
            let data = Data(base64Encoded: Data(bytes[begin..<end]), options: .ignoreUnknownCharacters)
        else { throw DecryptionError("it is not an export of room keys") }
        let json = try Self.decrypt(Array(data), passphrase, maximumRounds)
        guard let keys = try? JSONDecoder().decode([AnyKey].self, from: Data(json)) else {
            throw DecryptionError("its keys can't be read")
        }
        var (sessions, unreadable): ([Place: MegolmSession], Int) = ([:], 0)
        for key in keys {
            guard let key = key.key, let session = MegolmSession(exported: key.session_key),
                session.hasID(key.session_id)
            else {
                unreadable += 1
                continue
            }
            let place = Place(room: key.room_id, session: key.session_id)
            // Of two keys of one session, the one that reads more.
            if let known = sessions[place], known.first <= session.first { continue }
            sessions[place] = session
        }
        (self.sessions, self.unreadable) = (sessions, unreadable)
    }

    private static func range(of text: String, in bytes: [UInt8]) -> Range<Int>? {
        let words = Array(text.utf8)
        let start = words.withUnsafeBufferPointer { words in
            bytes.withUnsafeBufferPointer { ByteSearch.firstIndex(of: words, in: $0) }
        }
        return start.map { $0..<($0 + words.count) }
    }

    private static func decrypt(
        _ bytes: [UInt8], _ passphrase: String, _ maximumRounds: Int
    ) throws(DecryptionError) -> [UInt8] {
        let head = versionBytes + saltBytes + counterBytes + roundsBytes
        guard bytes.count > head + codeBytes, bytes[0] == 1 else {
            throw DecryptionError("it is not an export of room keys that this version knows")
        }
        let salt = bytes[versionBytes..<(versionBytes + saltBytes)]
        let counter = bytes[(versionBytes + saltBytes)..<(head - roundsBytes)]
        let rounds = bytes[(head - roundsBytes)..<head].reduce(0) { $0 << 8 | Int($1) }
        guard (1...maximumRounds).contains(rounds) else { throw DecryptionError("it has \(rounds) rounds of hashing") }
        do {
            let keys = try KDF.Insecure.PBKDF2.deriveKey(
                from: Array(passphrase.utf8), salt: salt, using: .sha512, outputByteCount: 64,
                unsafeUncheckedRounds: rounds
            ).withUnsafeBytes { Array($0) }
            let code = HMAC<SHA256>.authenticationCode(
                for: bytes.dropLast(codeBytes), using: SymmetricKey(data: keys[32...]))
            guard ConstantTime.areEqual(Array(code), bytes.suffix(codeBytes)) else {
                throw DecryptionError("the passphrase is wrong, or the file is damaged")
            }
            return Array(
                try AES._CTR.decrypt(
                    bytes[head..<(bytes.count - codeBytes)], using: SymmetricKey(data: keys[..<32]),
                    nonce: AES._CTR.Nonce(nonceBytes: counter)))
        } catch let error as DecryptionError {
            throw error
        } catch {
            throw DecryptionError("it can't be decrypted")
        }
    }
}
