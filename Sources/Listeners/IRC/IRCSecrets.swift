/// What an account logs in with; never shown.
package struct IRCSecrets: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// Of SASL.
    package var password: String?
    /// Of the server itself, or of a bouncer: PASS.
    package var serverPassword: String?
    /// What rooms are locked with (mode `k`), by the room.
    package var channelKeys: [String: String]

    /// A shorter secret is an ordinary word of many sentences, and stays in them.
    private static let shortestMasked = 4

    package init(password: String? = nil, serverPassword: String? = nil, channelKeys: [String: String] = [:]) {
        (self.password, self.serverPassword, self.channelKeys) = (password, serverPassword, channelKeys)
    }

    package var description: String { "secrets" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// A server's words with `***` for each password in them: some servers repeat what they refuse.
    ///
    /// For what is shown, logged or stored as a reason. Messages stay as they were sent.
    func mask(_ words: String) -> String {
        var bytes = Array(words.utf8)
        for secret in masked { bytes.replace(secret, with: Array("***".utf8)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The longest first. A bouncer's password is sent as `user/network:password` (ZNC, soju), of which it may repeat the end.
    private var masked: [[UInt8]] {
        let end = serverPassword.flatMap { $0.split(separator: ":", maxSplits: 1).dropFirst().first }
        let secrets = [password, serverPassword, end.map(String.init)].compactMap { $0.map { Array($0.utf8) } }
        return secrets.filter { $0.count >= Self.shortestMasked }.sorted { $0.count > $1.count }
    }
}
