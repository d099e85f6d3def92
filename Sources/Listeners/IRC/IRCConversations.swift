/// Conversations whose live spans are known, by their rooms' keys: a limited number, as anybody may write to us under
/// any nick.
///
/// Messages in others are stored all the same; nothing is claimed about how complete those are.
struct IRCConversations: Sendable {
    /// The most conversations; a person has hundreds over the years.
    static let maximumCount = 5000
    /// The most bytes that all keys, which are nicks, may have.
    static let maximumBytes = 512 * 1024

    private(set) var keys: Set<String> = []
    private var bytes = 0

    enum Insertion {
        case new
        case known
        /// There are too many.
        case refused
    }

    func contains(_ key: String) -> Bool { keys.contains(key) }

    mutating func insert(_ key: String) -> Insertion {
        if keys.contains(key) { return .known }
        guard keys.count < Self.maximumCount, bytes + key.utf8.count <= Self.maximumBytes else { return .refused }
        keys.insert(key)
        bytes += key.utf8.count
        return .new
    }
}
