import FoundationEssentials

/// A link to a file in a message, which anybody can write.
package struct FileLink: Sendable, Hashable {
    package let url: String
    package let host: String

    /// The longest link that is followed, in bytes: as web servers allow (RFC 9110 §4.1).
    private static let maximumBytes = 8000

    /// Reads a link by `https` to a host with a domain name. Nil for anything else, which could lead into the listener's own
    /// network: addresses, names without a dot, and links with a user.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes, let parts = URLComponents(string: text),
            parts.scheme?.lowercased() == "https", parts.user == nil, parts.password == nil,
            let host = parts.percentEncodedHost?.lowercased(),
            host.wholeMatch(of: /(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?/) != nil,
            ![".localhost", ".local", ".internal"].contains(where: host.hasSuffix)
        else { return nil }
        var plain = parts
        plain.percentEncodedFragment = nil
        (url, self.host) = (plain.string ?? text, host)
    }
}
