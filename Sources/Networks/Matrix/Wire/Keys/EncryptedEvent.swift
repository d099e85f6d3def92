import Bytes
import FoundationEssentials

/// An event that is encrypted with Megolm, as far as its decryption needs it.
package struct EncryptedEvent: Sendable, Hashable {
    package var id: String
    package var sender: String
    package var session: String
    /// In base64.
    package var ciphertext: String

    private struct Event: Decodable {
        var event_id: String
        var sender: String
        var type: String
        var content: Content
    }
    private struct Content: Decodable {
        var algorithm: String
        var ciphertext: String
        var session_id: String
    }

    package static let type = "m.room.encrypted"

    /// - Returns: Nil for any other event, which most are, and for one with another encryption.
    package init?(_ bytes: [UInt8]) {
        guard Self.names(bytes), let event = try? JSONDecoder().decode(Event.self, from: Data(bytes)),
            event.type == Self.type, event.content.algorithm == MegolmSession.algorithm
        else { return nil }
        (id, sender) = (event.event_id, event.sender)
        (session, ciphertext) = (event.content.session_id, event.content.ciphertext)
    }

    /// Returns true for bytes that have the name of the encryption, which is faster than reading them.
    private static func names(_ bytes: [UInt8]) -> Bool {
        let name = Array(MegolmSession.algorithm.utf8)
        return name.withUnsafeBufferPointer { name in
            bytes.withUnsafeBufferPointer { ByteSearch.firstIndex(of: name, in: $0) }
        } != nil
    }
}
