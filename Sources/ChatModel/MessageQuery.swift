/// A query for history, the same for every interface: the messages, the start and the number.
package struct MessageQuery: Sendable, Hashable {
    /// The start of a page. The message with the anchor's own id is excluded, as in IRCv3 CHATHISTORY; any instant is
    /// valid.
    package enum Anchor: Sendable, Hashable {
        /// The newest messages.
        case latest
        /// The oldest messages.
        case oldest
        case before(MessageID)
        case after(MessageID)
        /// Half of the page before the instant, and the rest from the instant on, including the message of that
        /// instant.
        case around(MessageID)
        /// From the first id towards the second, which may be the earlier one.
        case between(MessageID, MessageID)
        /// The messages of a day, from its first one on. The page has the nearest days with messages as well.
        case day(CivilDay)
    }

    /// The messages to choose from.
    package enum Scope: Sendable, Hashable {
        /// The messages of some rooms, in the order of id and account name.
        case rooms([RoomKey])
        /// All messages of the accounts, in the order of id and account name.
        case accounts([String])

        package static func room(account: String, id: Int64) -> Scope {
            .rooms([RoomKey(account: account, id: id)])
        }

        /// The accounts to read, each once.
        package var accounts: [String] {
            switch self {
            case .rooms(let rooms):
                rooms.reduce(into: []) { accounts, room in
                    if !accounts.contains(room.account) { accounts.append(room.account) }
                }
            case .accounts(let names): names
            }
        }

        /// Returns the numbers of an account's rooms to read; nil for all its rooms.
        package func rooms(of account: String) -> [Int64]? {
            switch self {
            case .rooms(let rooms): rooms.filter { $0.account == account }.map(\.id)
            case .accounts: nil
            }
        }

        /// The room, if it is the only one to read.
        package var onlyRoom: RoomKey? {
            if case .rooms(let rooms) = self, rooms.count == 1 { rooms[0] } else { nil }
        }
    }

    /// The time whose names are shown.
    package enum Names: String, Sendable, Hashable, CaseIterable {
        /// The names of users and rooms when the message was sent.
        case then
        /// The present names of users and rooms.
        case now
    }

    /// 1 to 1,000, as is usual for IRCv3 CHATHISTORY: enough for a screen, and still one short read.
    package static let limits = 1...1000
    package static let defaultLimit = 50

    package let scope: Scope
    package let anchor: Anchor
    /// The limit of messages on the page.
    package let limit: Int
    package let hidden: HiddenMessages
    package let names: Names

    /// - Throws: ``QueryError`` if `limit` is out of range, or `scope` has no account, or the same account or room
    ///   twice.
    package init(
        scope: Scope, anchor: Anchor = .latest, limit: Int = defaultLimit,
        hidden: HiddenMessages = [], names: Names = .then
    ) throws(QueryError) {
        try Self.check(limit: limit)
        guard !scope.accounts.isEmpty else { throw QueryError(code: .noAccount, detail: "no account to read") }
        switch scope {
        case .accounts(let accounts):
            if let twice = Self.repeated(in: accounts) {
                throw QueryError(code: .accountTwice, detail: "account \"\(twice)\" is named twice")
            }
        case .rooms(let rooms):
            if let twice = Self.repeated(in: rooms) {
                throw QueryError(code: .roomTwice, detail: "room \"\(twice.account)/\(twice.id)\" is named twice")
            }
        }
        (self.scope, self.anchor, self.limit, self.hidden, self.names) = (scope, anchor, limit, hidden, names)
    }

    /// Returns the first element that equals an earlier one; nil if there is none.
    private static func repeated<Element: Hashable>(in elements: [Element]) -> Element? {
        var seen: Set<Element> = []
        return elements.first { !seen.insert($0).inserted }
    }

    /// - Throws: ``QueryError`` if a page can't have as many messages.
    static func check(limit: Int) throws(QueryError) {
        guard limits.contains(limit) else {
            throw QueryError(
                code: .limitOutOfRange,
                detail: "a page has 1 to 1000 messages, not \(limit); page on with the cursor it prints")
        }
    }

    /// Returns the same query with another start.
    package func with(anchor: Anchor, limit: Int? = nil) throws(QueryError) -> MessageQuery {
        try MessageQuery(
            scope: scope, anchor: anchor, limit: limit ?? self.limit, hidden: hidden, names: names)
    }
}

/// The reason why a query is invalid.
package struct QueryError: Error, Hashable {
    package enum Code: Sendable { case limitOutOfRange, noAccount, accountTwice, roomTwice }
    package let code: Code
    /// The mistake, for people.
    package let detail: String
}
