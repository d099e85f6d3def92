import Foundation

/// Where a service is: its origin, to which alone anything is sent.
package struct SLPOrigin: Sendable, Hashable {
    /// `https://chat.example.net:8443`, without a slash at the end.
    package let origin: String

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
        origin = "\(scheme)://\(host.lowercased())" + (parts.port.map { ":\($0)" } ?? "")
    }
}
