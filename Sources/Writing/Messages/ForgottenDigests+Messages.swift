import ChatModel
package import FoundationEssentials
import Records

extension ForgottenDigests {
    /// Returns the digests of a stored message with all its texts.
    package func digests(
        of message: StoredMessage, room: String, author: String?, earlier: [String?]
    ) -> [Data] {
        let minute = Self.minute(message.time)
        return (message.remoteID.map { [digest(id: $0, room: room)] } ?? [])
            + ([message.body] + earlier).map { digest(body: $0, minute: minute, author: author) }
    }
}
