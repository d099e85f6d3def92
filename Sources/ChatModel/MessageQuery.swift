/// Which messages, from where, and how many: the one way in which every interface asks for history.
package struct MessageQuery: Sendable, Hashable {
    /// Where a page starts. Exclusive at a message's own id, as in IRCv3 CHATHISTORY; any instant will do.
    package enum Anchor: Sendable, Hashable {
        case latest
        case oldest
        case before(MessageID)
        case after(MessageID)
        /// Half of the page before the instant; the message at it, if there is one, and the other half after.
        case around(MessageID)
        /// From the first towards the second, which may be the earlier one.
        case between(MessageID, MessageID)
    }

    package enum Scope: Sendable, Hashable {
        case room(account: String, id: Int64)
        /// In the order (id, account name).
        case accounts([String])
    }

    package enum Names: String, Sendable, Hashable, CaseIterable {
        /// As users and rooms were called when it was said.
        case then
        /// As they are called today.
        case now
    }

    /// From IRCv3 CHATHISTORY practice: enough for a screen, small enough to be one short read.
    package static let limits = 1...1000
    package static let defaultLimit = 50

    package let scope: Scope
    package let anchor: Anchor
    package let limit: Int
    package let hidesNoise: Bool
    package let names: Names

    /// - Throws: ``QueryError`` when `limit` is out of range, or `scope` names no account or one of them twice.
    package init(
        scope: Scope, anchor: Anchor = .latest, limit: Int = defaultLimit, hidesNoise: Bool = false,
        names: Names = .then
    ) throws(QueryError) {
        guard Self.limits.contains(limit) else {
            throw QueryError(
                code: .limitOutOfRange,
                detail: "a page has 1 to 1000 messages, not \(limit); page on with the cursor it prints")
        }
        if case .accounts(let accounts) = scope {
            guard !accounts.isEmpty else { throw QueryError(code: .noAccount, detail: "no account to read") }
            guard Set(accounts).count == accounts.count else {
                throw QueryError(code: .accountTwice, detail: "an account is named twice: \(accounts)")
            }
        }
        self.scope = scope
        self.anchor = anchor
        self.limit = limit
        self.hidesNoise = hidesNoise
        self.names = names
    }

    /// The same from another place.
    package func with(anchor: Anchor, limit: Int? = nil) throws(QueryError) -> MessageQuery {
        try MessageQuery(
            scope: scope, anchor: anchor, limit: limit ?? self.limit, hidesNoise: hidesNoise, names: names)
    }
}

package struct QueryError: Error, Hashable {
    package enum Code: Sendable { case limitOutOfRange, noAccount, accountTwice }
    package let code: Code
    /// For people.
    package let detail: String
}
