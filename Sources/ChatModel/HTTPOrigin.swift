import FoundationEssentials

/// The origin of a service, the only one to which requests are sent.
package struct HTTPOrigin: Sendable, Hashable {
    /// `https://chat.example.net:8443`, without a slash at the end.
    package let origin: String

    /// The host in lower case, without the brackets of an IPv6 address.
    package let host: String
    /// The port in the URL, or the scheme's default.
    package let port: Int
    /// True for `https`.
    package let isSecure: Bool

    /// True if requests to the origin do not leave this machine.
    package var isLoopback: Bool { Self.isLoopback(host) }

    /// True if connections to the host do not leave this machine.
    package static func isLoopback(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host == "::1"
            || (numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil))
    }

    /// Reads a URL with a scheme, a host and an optional port. Nil for anything else, including a user and password,
    /// which a log might show.
    ///
    /// - Parameter path: A path that may follow, such as `/v1`, which is not part of the origin.
    package init?(_ url: String, optionalPath path: String = "") {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.percentEncodedHost, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            ["", "/", path, path + "/"].contains(parts.percentEncodedPath)
        else { return nil }
        isSecure = scheme == "https"
        self.host = String(host.lowercased().filter { $0 != "[" && $0 != "]" })
        port = parts.port ?? (isSecure ? 443 : 80)
        origin = "\(scheme)://\(host.lowercased())" + (parts.port.map { ":\($0)" } ?? "")
    }
}
