/// The address of a server: `tcp://host:port`, with an IPv6 address in brackets.
package struct ServerAddress: Sendable, Hashable {
    package var host: String
    /// 1 to 65535.
    package var port: Int

    /// The value for a setting that could not be read.
    package static let unset = ServerAddress(host: "", port: 0)

    private init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Nil for a text that is not such an address.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /tcp:\/\/(\[[0-9A-Fa-f:.%]+\]|[^\s\[\]\/:@?#]+):([0-9]{1,5})\/?/),
            let port = Int(match.2), (1...65_535).contains(port)
        else { return nil }
        host = match.1.hasPrefix("[") ? String(match.1.dropFirst().dropLast()) : String(match.1)
        self.port = port
    }
}
