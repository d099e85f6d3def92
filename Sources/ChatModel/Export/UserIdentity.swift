/// Who somebody is in an export, whatever they are called.
package enum UserIdentity: Sendable, Hashable {
    /// What the network knows them by: `user.key`.
    case key(String)
    /// Nobody that the network knows: somebody else has taken the key since. Told from others by the first name that they had,
    /// and since when.
    case former(Former)

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

    /// One of the two as an export has them; nil where there is neither.
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

/// A name, or the place of a picture, and when it was that.
package struct NameSpan: Sendable, Hashable, Codable {
    package var name: String
    package var firstSeen: Timestamp
    /// Nil for today's.
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
