/// The address where metrics are served, on this machine only: `127.0.0.1:9187`, `[::1]:9187`, `localhost:9187`.
package struct MetricsAddress: Sendable, Hashable {
    /// The IP address; 127.0.0.1 for `localhost`.
    package let host: String
    /// The port; 0 for any free one, which is in the log.
    package let port: Int

    /// The reason why an address can't be used.
    package struct Invalid: Error, CustomStringConvertible {
        /// The mistake and the advice.
        package let description: String

        fileprivate init(_ description: String) {
            self.description = description
        }
    }

    /// Reads `HOST:PORT`.
    ///
    /// - Throws: ``Invalid`` for other texts and for addresses of other machines.
    package init(_ text: String) throws {
        guard let match = text.wholeMatch(of: /(\[[^\]]*\]|[^:\[\]]+):([0-9]{1,5})/), let port = Int(match.2),
            port <= 65_535
        else { throw Invalid("an address is HOST:PORT, such as 127.0.0.1:9187 or [::1]:9187") }
        guard Self.isLoopback(match.1) else {
            throw Invalid(
                """
                metrics are served to this machine only (127.0.0.1, [::1] or localhost), because they show what is archived \
                and when people talk; from another machine use a tunnel (ssh -L 9187:127.0.0.1:9187 HOST) or a reverse \
                proxy with a login
                """)
        }
        host = match.1.lowercased() == "localhost" ? "127.0.0.1" : String(Self.withoutBrackets(match.1))
        self.port = port
    }

    /// Returns true if a request was meant for this server. A page in a browser can reach this port by a foreign name
    /// that resolves to this machine (DNS rebinding), and sends that name.
    package static func isOurs(hostHeader: String) -> Bool {
        guard let match = hostHeader.wholeMatch(of: /(\[[^\]]*\]|[^:\[\]]+)(:[0-9]{1,5})?/) else { return false }
        return isLoopback(match.1)
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        if host.lowercased() == "localhost" { return true }
        let address = IPAddress(String(withoutBrackets(host)))?.text
        return host.hasPrefix("[") ? address == "::1" : address?.hasPrefix("127.") ?? false
    }

    private static func withoutBrackets(_ host: Substring) -> Substring {
        host.hasPrefix("[") ? host.dropFirst().dropLast() : host
    }
}
