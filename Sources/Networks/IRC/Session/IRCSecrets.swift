/// The passwords of an account, which are never shown.
package struct IRCSecrets: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The password for SASL.
    package var password: String?
    /// The password of the server itself, or of a bouncer, for PASS.
    package var serverPassword: String?
    /// The channel keys (mode `k`), by the room's name in the configuration.
    package var channelKeys: [String: String]

    /// The length of the shortest masked secret, in bytes. A shorter one would be part of ordinary words.
    private static let shortestMasked = 4

    package init(password: String? = nil, serverPassword: String? = nil, channelKeys: [String: String] = [:]) {
        (self.password, self.serverPassword, self.channelKeys) = (password, serverPassword, channelKeys)
    }

    package var description: String { "secrets" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Replaces each password in a server's words with `***`, because some servers repeat a refused password.
    ///
    /// Use it for words that are shown, logged or stored as a reason. Messages are never masked.
    func mask(_ words: String) -> String {
        var bytes = Array(words.utf8)
        for secret in masked { bytes.replace(secret, with: Array("***".utf8)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The passwords to mask, the longest first. A bouncer's is sent as `user/network:password` (ZNC, soju), of which a
    /// server may repeat the end.
    private var masked: [[UInt8]] {
        let end = serverPassword.flatMap { $0.split(separator: ":", maxSplits: 1).dropFirst().first }
        let secrets = [password, serverPassword, end.map(String.init)].compactMap { $0.map { Array($0.utf8) } }
        return secrets.filter { $0.count >= Self.shortestMasked }.sorted { $0.count > $1.count }
    }
}
