/// Returns nicks to try if one is in use.
enum NickAlternatives {
    /// The limit of a nick in bytes if the server announces none (RFC 2812 §1.2.1). A server may cut longer nicks, so
    /// the digit must come within this length.
    private static let shortNick = 9

    static func made(from nick: String) -> [String] {
        let base = String(decoding: nick.utf8.prefix(shortNick - 1), as: UTF8.self)
        let isWhole = base.utf8.count <= shortNick - 1 && nick.hasPrefix(base)
        let numbered = isWhole ? (1...9).map { base + "\($0)" } : []
        return [nick + "_", nick + "__"] + numbered
    }
}
