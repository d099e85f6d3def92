import Foundation

/// Where a service is: its origin, to which alone anything is sent.
package struct SLPOrigin: Sendable, Hashable {
    /// `https://chat.example.net:8443`, without a slash at the end.
    package let origin: String

    package let host: String
    package let port: Int
    /// Over TLS.
    package let isSecure: Bool

    /// Nothing that is sent there leaves this machine.
    package var isLoopback: Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host == "::1"
            || (numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil))
    }

    /// All calls are below it.
    var base: String { origin + "/v1" }

    /// Reads a URL of a scheme, a host and, where it is not the usual one, a port; `/v1` may stand behind it. Nil for
    /// anything else, a user and password included, which a log might show.
    package init?(_ url: String) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.percentEncodedHost, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            ["", "/", "/v1", "/v1/"].contains(parts.percentEncodedPath)
        else { return nil }
        isSecure = scheme == "https"
        self.host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        port = parts.port ?? (isSecure ? 443 : 80)
        origin = "\(scheme)://\(host.lowercased())" + (parts.port.map { ":\($0)" } ?? "")
    }
}
