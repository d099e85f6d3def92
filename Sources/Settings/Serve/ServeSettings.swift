/// The settings of the HTTP server.
package struct ServeSettings: Sendable, Equatable {
    package var address: ServeAddress
    /// The names, besides those of this machine, by which browsers may reach the server: `chat.example.net`.
    package var names: [String]
    /// The IP addresses of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. At a socket's path, those
    /// of every peer are.
    package var proxies: [String]

    /// The path below which a proxy has the server, such as `/chat`; empty for none.
    package var path: String

    package init(
        address: ServeAddress = .usual, names: [String] = [], proxies: [String] = [], path: String = ""
    ) {
        (self.address, self.names, self.proxies, self.path) = (address, names, proxies, path)
    }

    /// Returns a path without a `/` at its end; empty for `/`. Nil for a text that is not the path of a site: its parts
    /// have letters and digits of ASCII, `-`, `.`, `_` and `~`.
    package static func path(_ text: String) -> String? {
        let path = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard path.wholeMatch(of: /(?:\/[A-Za-z0-9._~-]+)*/) != nil, path.utf8.count <= 200 else { return nil }
        return path.split(separator: "/").contains { $0 == "." || $0 == ".." } ? nil : path
    }
}

extension ServeSettings {
    /// Reads the table `[serve]`.
    init(_ table: inout TableReader) {
        self.init()
        if let text = table.string("listen", shownDefault: "\(ServeAddress.usual)") {
            do {
                address = try ServeAddress(text)
            } catch {
                table.report("listen", expected: error.description, found: TableReader.quote(text))
            }
        }
        names = table.strings("names")
        proxies = table.strings("proxies")
        for proxy in proxies where IPAddress(proxy) == nil {
            table.report("proxies", expected: "IP addresses", found: TableReader.quote(proxy))
        }
        if let text = table.string("path") {
            if let path = Self.path(text) {
                self.path = path
            } else {
                table.report("path", expected: "a path such as \"/chat\"", found: TableReader.quote(text))
            }
        }
        if !address.isLoopback, names.isEmpty {
            table.reportMissing("names", expected: "the names by which browsers reach an address of other machines")
        }
        table.reportUnknownKeys()
    }
}

/// The address of the HTTP server: `127.0.0.1:8042`, `[::1]:8042`, `localhost:8042` or `unix:/run/scrollback/http`.
package enum ServeAddress: Sendable, Hashable, CustomStringConvertible {
    case tcp(host: String, port: Int)
    case unix(path: String)

    /// The address without any configuration.
    package static let usual = ServeAddress.tcp(host: "127.0.0.1", port: 8042)

    /// The reason why a text is not an address, with advice.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads an address.
    ///
    /// - Throws: ``Invalid`` for other texts.
    package init(_ text: String) throws(Invalid) {
        if let path = text.wholeMatch(of: /unix:(.+)/)?.1 {
            // sockaddr_un has 108 bytes with a NUL (unix(7)).
            guard path.utf8.count < 108 else { throw Invalid(description: "a socket's path has at most 107 bytes") }
            self = .unix(path: String(path))
            return
        }
        guard let match = text.wholeMatch(of: /(\[[^\]]*\]|[^:\[\]]+):([0-9]{1,5})/), let port = Int(match.2),
            port <= 65_535
        else {
            throw Invalid(description: "an address is HOST:PORT or unix:PATH, such as 127.0.0.1:8042 or [::1]:8042")
        }
        let host = match.1.hasPrefix("[") ? String(match.1.dropFirst().dropLast()) : String(match.1)
        let address = host.lowercased() == "localhost" ? "127.0.0.1" : host
        guard IPAddress(address) != nil else {
            throw Invalid(description: "the host of an address is an IP address or localhost, not \"\(host)\"")
        }
        self = .tcp(host: address, port: port)
    }

    /// True if only this machine reaches the address.
    package var isLoopback: Bool {
        switch self {
        case .tcp(let host, _): host.hasPrefix("127.") || host == "::1"
        case .unix: true
        }
    }

    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
