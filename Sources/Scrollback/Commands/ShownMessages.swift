import Archive
import ChatModel

/// The messages of a page that following must not bring again.
struct ShownMessages {
    private struct Key: Hashable {
        var account: String
        var id: MessageID
    }

    /// Just before the first; the beginning of time where there is none.
    let start: MessageID
    private var keys: Set<Key>

    init(_ messages: [Message]) {
        start = MessageID((messages.first?.id.time ?? Timestamp(microseconds: 0)).advanced(byMicroseconds: -1))
        keys = Set(messages.map { Key(account: $0.account, id: $0.id) })
    }

    /// What has not been shown yet; nil when that is nothing.
    mutating func rest(of followed: Followed) -> Followed? {
        guard case .messages(let messages) = followed, !keys.isEmpty else { return followed }
        let rest = messages.filter { keys.remove(Key(account: $0.account, id: $0.id)) == nil }
        return rest.isEmpty ? nil : .messages(rest)
    }
}
