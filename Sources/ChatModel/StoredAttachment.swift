/// A file that came with a message, with all that is known of it.
package struct StoredAttachment: Sendable, Hashable {
    package var account: String
    package var network: String
    package var room: String
    package var message: MessageID
    /// Who sent it, as they are called now; nil where nobody is known.
    package var sender: String?
    package var attachment: Attachment
    /// Why it is not here, for people; nil where it is, or was not tried.
    package var error: String?
    /// Tries so far.
    package var attempts: Int
    /// When it was tried last, or came.
    package var triedAt: Timestamp?
    /// Nil where nothing is tried by itself.
    package var nextTry: Timestamp?
    /// Whether somebody waits for it.
    package var isAsked: Bool
    /// The path of its bytes; nil where they are not here.
    package var file: String?

    package init(
        account: String, network: String, room: String, message: MessageID, sender: String?, attachment: Attachment,
        error: String? = nil, attempts: Int = 0, triedAt: Timestamp? = nil, nextTry: Timestamp? = nil,
        isAsked: Bool = false, file: String? = nil
    ) {
        (self.account, self.network, self.room, self.message) = (account, network, room, message)
        (self.sender, self.attachment, self.error, self.attempts) = (sender, attachment, error, attempts)
        (self.triedAt, self.nextTry, self.isAsked, self.file) = (triedAt, nextTry, isAsked, file)
    }
}

/// Which files: of a room or of accounts, of messages within a time.
package struct AttachmentQuery: Sendable, Hashable {
    package var scope: MessageQuery.Scope
    /// Only of messages after this one.
    package var after: MessageID?
    /// Only of messages before this one.
    package var before: MessageID?
    /// Only those whose bytes are not here.
    package var isMissingOnly: Bool
    /// Whether the list begins with the earliest, else it ends with the latest.
    package var isForward: Bool
    package var limit: Int

    package init(
        scope: MessageQuery.Scope, after: MessageID? = nil, before: MessageID? = nil, isMissingOnly: Bool = false,
        isForward: Bool = false, limit: Int = MessageQuery.defaultLimit
    ) {
        (self.scope, self.after, self.before) = (scope, after, before)
        (self.isMissingOnly, self.isForward, self.limit) = (isMissingOnly, isForward, limit)
    }
}

/// A run of files in the order of their messages. Those of one message are never apart, so it may have more than its limit.
package struct AttachmentPage: Sendable, Hashable {
    package var attachments: [StoredAttachment]
    /// Go on with `before` this; nil where there is nothing older.
    package var older: MessageID?
    /// Go on with `after` this; nil where there is nothing newer.
    package var newer: MessageID?

    package init(attachments: [StoredAttachment], older: MessageID?, newer: MessageID?) {
        (self.attachments, self.older, self.newer) = (attachments, older, newer)
    }
}

/// What became of the files of an account that somebody asked for.
package struct AttachmentTally: Sendable, Hashable {
    /// That are still waited for.
    package var waiting = 0
    /// That came since, and their bytes.
    package var came = 0
    package var bytes: Int64 = 0
    /// That were tried since and did not come.
    package var failed = 0

    package init() {}
}
