/// A page of a conversation: a message, all replies to it, all replies to those, and so on. All of it is in one room.
package struct MessageThread: Sendable, Hashable {
    package var outline: ThreadOutline
    /// The message that the conversation begins with; nil if it is not archived.
    package var root: Message?
    /// Messages of the conversation in order of time, the root included. The cursors are for the conversation, and the
    /// gaps are those of the room in the page's time.
    package var page: Page

    package init(outline: ThreadOutline, root: Message?, page: Page) {
        (self.outline, self.root, self.page) = (outline, root, page)
    }
}

/// The ids of all messages of a conversation.
package struct ThreadOutline: Sendable, Hashable {
    /// The result of following the replies from a message up to the root.
    package enum RootState: String, Sendable, Hashable, CaseIterable {
        /// The root replies to no message.
        case found
        /// The root is not archived, but replies to it are.
        case missing
        /// The replies form a cycle. The root is the earliest message of the cycle.
        case cycle
        /// The message is more than ``limit`` replies below the root. The given root replies to a further message.
        case tooFar = "too_far"
    }

    package var account: String
    /// The room's number in the account's file.
    package var room: Int64
    package var rootState: RootState
    /// The root; nil if it is not archived.
    package var root: MessageID?
    /// The network's id of the root; nil if it has none.
    package var rootRemoteID: String?
    /// The archived messages in order of time, at most ``limit``.
    package var ids: [MessageID]
    /// True if the conversation has more messages than ``limit``; the others are left out.
    package var isCut: Bool

    /// The limit of messages. Finding that many replies to one message takes about 0.3 s and a few megabytes
    /// *(measured)*. A chain of replies takes longer.
    package static let limit = 100_000

    package init(
        account: String, room: Int64, rootState: RootState, root: MessageID?, rootRemoteID: String?, ids: [MessageID],
        isCut: Bool
    ) {
        (self.account, self.room, self.rootState, self.root) = (account, room, rootState, root)
        (self.rootRemoteID, self.ids, self.isCut) = (rootRemoteID, ids, isCut)
    }
}

/// A question for the conversation of a message.
package struct ThreadQuery: Sendable, Hashable {
    /// The start of a page of a conversation.
    package enum Anchor: Sendable, Hashable {
        /// The first messages.
        case oldest
        /// The first messages after a cursor.
        case after(MessageID)
        /// The last messages before a cursor.
        case before(MessageID)
        /// A page with the message of this id, half of the page before it if there are as many.
        case around(MessageID)
        /// The first messages between two cursors, the earlier first.
        case between(MessageID, MessageID)
    }

    /// Any message of the conversation.
    package let message: MessageID
    /// The account of the message; nil to look in all.
    package let account: String?
    package let anchor: Anchor
    /// The limit of messages on the page, within ``MessageQuery/limits``.
    package let limit: Int
    package let names: MessageQuery.Names

    /// The largest page, which has nearly every conversation as a whole.
    package static let defaultLimit = MessageQuery.limits.upperBound

    /// - Throws: ``QueryError`` if `limit` is out of range.
    package init(
        message: MessageID, account: String? = nil, anchor: Anchor = .oldest, limit: Int = defaultLimit,
        names: MessageQuery.Names = .then
    ) throws(QueryError) {
        try MessageQuery.check(limit: limit)
        (self.message, self.account, self.anchor, self.limit, self.names) = (message, account, anchor, limit, names)
    }
}
