import Bytes
package import ChatModel
import Crypto
package import FoundationEssentials

/// The key of an account's digests, and how many there are.
package struct ForgottenKey: Sendable, Hashable {
    package var key: Data
    package var digests: Int64

    package init(key: Data, digests: Int64) {
        (self.key, self.digests) = (key, digests)
    }

    package static func makeKey() -> Data { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }
}

/// Keyed hashes of what is forgotten, by which it is recognised when it comes again: from the network's history, a log,
/// or a backup. Nothing can be read from them. Somebody who has the key can only test a guess.
///
/// A message has one of its network's id, if it has one, and one of each of its texts with the minute and the author's
/// name, because a log has no ids and may have no seconds. A person has one of the key and one of each name, with the
/// instant up to which everything of the person is forgotten. A room that was erased has one of its key, with the same.
package struct ForgottenDigests: Sendable {
    private let key: SymmetricKey
    /// The bytes of a digest. Two of a billion messages are alike by chance once in 10²⁰ archives.
    private static let size = 16

    package init(key: Data) { self.key = SymmetricKey(data: key) }

    /// The digest of a network's id in a room.
    package func digest(id: String, room: String) -> Data { digest("id", room, id) }

    /// The digest of a text.
    package func digest(body: String?, minute: Int64, author: String?) -> Data {
        digest("text", "\(minute)", Self.folded(author ?? ""), body ?? "")
    }

    /// The digest of a person whose later messages are not stored either, as versions before 0.1 wrote it.
    package func digest(author: String) -> Data { digest("author", author) }

    /// The beginning of ``digest(person:until:)``; alone in files of versions before 0.1.
    ///
    /// - Parameter key: The network's id of the person, or a name in the form in which names are compared.
    package func digest(person key: String) -> Data { digest("person", key) }

    /// The digest of a person, and the instant up to which everything of the person is forgotten; `.max` for everything
    /// that comes later, too.
    package func digest(person key: String, until end: Int64) -> Data {
        digest(person: key) + withUnsafeBytes(of: end.bigEndian) { Data($0) }
    }

    /// Returns the instant in a digest of a person or a room; the beginning of time for one without it.
    package static func end(of digest: Data) -> Int64 {
        guard digest.count == size + MemoryLayout<Int64>.size else { return .min }
        return digest.suffix(MemoryLayout<Int64>.size).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Returns the part of a digest of a person that does not depend on the instant.
    package static func person(of digest: Data) -> Data { Data(digest.prefix(size)) }

    /// The digest of a direct room with a forgotten person: of its key, or of its name in the form in which names are
    /// compared.
    package func digest(directRoom key: String) -> Data { digest("room", key) }

    /// The beginning of ``digest(erasedRoom:until:)``.
    package func digest(erasedRoom key: String) -> Data { digest("erased", key) }

    /// The digest of a room that was erased, and the instant up to which its history is not stored again.
    ///
    /// - Parameter key: The key that the file had for the room.
    package func digest(erasedRoom key: String, until end: Int64) -> Data {
        digest(erasedRoom: key) + withUnsafeBytes(of: end.bigEndian) { Data($0) }
    }

    /// The digest of bytes that name the person: of an event that could not be read, or of the server's words.
    package func digest(words: Data) -> Data { digest("words", words.base64EncodedString()) }

    package static func minute(_ time: Timestamp) -> Int64 { time.microseconds.flooringDivision(by: 60_000_000) }

    private func digest(_ parts: String...) -> Data {
        var code = HMAC<SHA256>(key: key)
        for part in parts {
            // The length before each part keeps two lists of parts from being the same bytes.
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { code.update(data: $0) }
            code.update(data: Data(part.utf8))
        }
        return Data(code.finalize().prefix(Self.size))
    }

    /// Returns a name in a form in which logs and networks have it alike.
    private static func folded(_ name: String) -> String { name.composed.lowercased() }
}

extension Int64 {
    fileprivate func flooringDivision(by divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
