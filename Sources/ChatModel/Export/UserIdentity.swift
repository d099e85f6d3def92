/// The identity of a user in an export, independent of names.
package enum UserIdentity: Sendable, Hashable {
    /// The network's id or the folded name: `user.key`.
    case key(String)
    /// A user whose key another user has taken, identified by the first name and the time of its first use.
    case former(Former)

    /// The first name of a user without a key.
    package struct Former: Sendable, Hashable, Codable {
        package var name: String
        package var firstSeen: Timestamp

        private enum CodingKeys: String, CodingKey {
            case name
            case firstSeen = "first_seen"
        }

        package init(name: String, firstSeen: Timestamp) {
            (self.name, self.firstSeen) = (name, firstSeen)
        }
    }

    /// Creates an identity from the key or, without a key, from the former name; nil if both are nil.
    package init?(key: String?, former: Former?) {
        if let key {
            self = .key(key)
        } else if let former {
            self = .former(former)
        } else {
            return nil
        }
    }

    package var key: String? {
        if case .key(let key) = self { key } else { nil }
    }

    package var former: Former? {
        if case .former(let former) = self { former } else { nil }
    }
}

/// A name, or the place of a picture, with the time of its use.
package struct NameSpan: Sendable, Hashable, Codable {
    package var name: String
    package var firstSeen: Timestamp
    /// The last time of its use; nil for the present one.
    package var lastSeen: Timestamp?

    private enum CodingKeys: String, CodingKey {
        case name
        case firstSeen = "first_seen"
        case lastSeen = "last_seen"
    }

    package init(name: String, firstSeen: Timestamp, lastSeen: Timestamp?) {
        (self.name, self.firstSeen, self.lastSeen) = (name, firstSeen, lastSeen)
    }
}
