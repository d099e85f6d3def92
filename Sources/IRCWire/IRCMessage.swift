/// One line of IRC, taken apart: `[@tags SP] [:source SP] verb params… [:trailing]`.
///
/// Everything a peer writes is bytes: neither text nor names need be UTF-8.
package struct IRCMessage: Sendable, Hashable {
    /// Unescaped, by key; a tag without value, or with an empty one, is empty (IRCv3 message-tags).
    package var tags: [[UInt8]: [UInt8]]
    /// nil where the line names none: the server that we speak with.
    package var source: IRCSource?
    /// A command or a numeric. Verbs have no case; of a line that was parsed, in upper case.
    package var verb: String
    /// The last one is as any other: whether it had a colon says nothing.
    package var params: [[UInt8]]

    package init(
        tags: [[UInt8]: [UInt8]] = [:], source: IRCSource? = nil, _ verb: String, _ params: [[UInt8]] = []
    ) {
        self.tags = tags
        self.source = source
        self.verb = verb
        self.params = params
    }

    /// For what we write ourselves.
    package init(_ verb: String, _ params: String...) {
        self.init(verb, params.map { Array($0) })
    }

    package func tag(_ key: String) -> [UInt8]? {
        tags[Array(key)]
    }

    /// Empty where there are not as many.
    package func param(_ index: Int) -> [UInt8] {
        params.indices.contains(index) ? params[index] : []
    }

    /// Whether a parameter is this word, ASCII case aside.
    func param(_ index: Int, is word: String) -> Bool {
        CaseMapping.ascii.fold(param(index)) == CaseMapping.ascii.fold(Array(word))
    }

    /// What must not reach a log: it carries a password.
    package var isSecret: Bool {
        ["PASS", "AUTHENTICATE", "OPER"].contains(verb)
    }

    /// The answer to a PING, with the parameters it came with (RFC 2812 §3.7.3); nil where this is none.
    package var pong: IRCMessage? {
        guard verb == "PING" else { return nil }
        return IRCMessage("PONG", params)
    }
}
