/// A file of a message, with everything known about it.
package struct StoredAttachment: Sendable, Hashable {
    package var account: String
    package var network: String
    package var room: String
    /// The message that it came with.
    package var message: MessageID
    /// The sender's present name; nil if there is none.
    package var sender: String?
    package var attachment: Attachment
    /// The reason why the file is not archived, for people; nil if it is archived or was never tried.
    package var error: String?
    /// The number of attempts so far.
    package var attempts: Int
    /// The time of the last attempt, or of archiving the file.
    package var triedAt: Timestamp?
    /// The time of the next attempt; nil if none is planned.
    package var nextTry: Timestamp?
    /// The path of its bytes; nil if they aren't archived.
    package var file: String?

    package init(
        account: String, network: String, room: String, message: MessageID, sender: String?, attachment: Attachment,
        error: String? = nil, attempts: Int = 0, triedAt: Timestamp? = nil, nextTry: Timestamp? = nil,
        file: String? = nil
    ) {
        (self.account, self.network, self.room, self.message) = (account, network, room, message)
        (self.sender, self.attachment, self.error, self.attempts) = (sender, attachment, error, attempts)
        (self.triedAt, self.nextTry, self.file) = (triedAt, nextTry, file)
    }
}

/// A query for files: of a room or of accounts, of messages within a time.
package struct AttachmentQuery: Sendable, Hashable {
    package var scope: MessageQuery.Scope
    /// The message after which files are listed, excluded; nil for no limit.
    package var after: MessageID?
    /// The message before which files are listed, excluded; nil for no limit.
    package var before: MessageID?
    /// True for only the files that aren't archived.
    package var isMissingOnly: Bool
    /// True for the earliest files of the range, false for the latest.
    package var isForward: Bool
    /// The limit of files, unless one message has more.
    package var limit: Int

    package init(
        scope: MessageQuery.Scope, after: MessageID? = nil, before: MessageID? = nil, isMissingOnly: Bool = false,
        isForward: Bool = false, limit: Int = MessageQuery.defaultLimit
    ) {
        (self.scope, self.after, self.before) = (scope, after, before)
        (self.isMissingOnly, self.isForward, self.limit) = (isMissingOnly, isForward, limit)
    }
}

/// Files in the order of their messages. Those of one message stay together, so a page may exceed its limit.
package struct AttachmentPage: Sendable, Hashable {
    package var attachments: [StoredAttachment]
    /// The cursor to continue with `before`; nil if there is nothing older.
    package var older: MessageID?
    /// The cursor to continue with `after`; nil if there is nothing newer.
    package var newer: MessageID?

    package init(attachments: [StoredAttachment], older: MessageID?, newer: MessageID?) {
        (self.attachments, self.older, self.newer) = (attachments, older, newer)
    }
}

/// The progress of an account's requested files since the request.
package struct AttachmentTally: Sendable, Hashable {
    /// The number of files that are still missing.
    package var waiting = 0
    /// The number of files that were archived.
    package var fetched = 0
    /// The total size of those files, in bytes.
    package var bytes: Int64 = 0
    /// The number of files that failed.
    package var failed = 0

    package init() {}
}
