/// Makes nicks to try when one is in use.
enum NickAlternatives {
    /// Without another limit, a server allows nine bytes (RFC 2812 §1.2.1) and may cut longer nicks. Those that end in
    /// a digit then still differ.
    private static let shortNick = 9

    static func made(from nick: String) -> [String] {
        let base = String(decoding: nick.utf8.prefix(shortNick - 1), as: UTF8.self)
        let isWhole = base.utf8.count <= shortNick - 1 && nick.hasPrefix(base)
        let numbered = isWhole ? (1...9).map { base + "\($0)" } : []
        return [nick + "_", nick + "__"] + numbered
    }
}
