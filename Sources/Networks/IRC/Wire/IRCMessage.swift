/// One parsed line of IRC: `[@tags SP] [:source SP] verb params… [:trailing]`.
///
/// All texts and names of a peer are bytes, because they may not be valid UTF-8.
package struct IRCMessage: Sendable, Hashable {
    /// The unescaped values by key; empty for a tag without a value (IRCv3 message-tags).
    package var tags: [[UInt8]: [UInt8]]
    /// The sender; nil if the line has none, because our server sent it.
    package var source: IRCSource?
    /// A command or a numeric; a parsed one is in upper case, because case doesn't matter.
    package var verb: String
    /// The parameters. A colon before the last one has no meaning.
    package var params: [[UInt8]]

    package init(
        tags: [[UInt8]: [UInt8]] = [:], source: IRCSource? = nil, _ verb: String, _ params: [[UInt8]] = []
    ) {
        (self.tags, self.source, self.verb, self.params) = (tags, source, verb, params)
    }

    /// Creates a message to send.
    package init(_ verb: String, _ params: String...) {
        self.init(verb, params.map { Array($0) })
    }

    /// Returns a tag's value; nil if the tag is missing.
    package func tag(_ key: String) -> [UInt8]? {
        tags[Array(key)]
    }

    /// Returns a parameter; empty if there are fewer.
    package func param(_ index: Int) -> [UInt8] {
        params.indices.contains(index) ? params[index] : []
    }

    /// Returns true if a parameter is this word, without regard to ASCII case.
    func param(_ index: Int, is word: String) -> Bool {
        CaseMapping.ascii.fold(param(index)) == CaseMapping.ascii.fold(Array(word))
    }

    /// True for messages with a password, which must not be logged.
    package var isSecret: Bool {
        ["PASS", "AUTHENTICATE", "OPER"].contains(verb)
    }

    /// The answer to a PING, with its parameters (RFC 2812 §3.7.3); nil for other messages.
    package var pong: IRCMessage? {
        guard verb == "PING" else { return nil }
        return IRCMessage("PONG", params)
    }
}
