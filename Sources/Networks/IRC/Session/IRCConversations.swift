/// Conversations that are received live, by their rooms' keys. Their number is limited, because anyone may write to us
/// under any nick.
///
/// Messages in other conversations are stored as well, but those have no coverage.
struct IRCConversations: Sendable {
    /// The limit of conversations. A person has hundreds over the years.
    static let maximumCount = 5000
    /// The limit of bytes in all keys together, which are nicks.
    static let maximumBytes = 512 * 1024

    private(set) var keys: Set<String> = []
    private var bytes = 0

    enum Insertion {
        case new
        case known
        /// There are too many conversations.
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
