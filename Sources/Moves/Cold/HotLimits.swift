import Archive
package import ChatModel
package import Files

/// The limits on the plain files of a data folder. To keep within them, the least recently used accounts are
/// compressed.
package struct HotLimits: Sendable, Hashable {
    /// The limit of hot accounts; nil for none.
    package var accounts: Int?
    /// The limit of the files' total size with their write-ahead logs, in bytes; nil for ``usualBytes(hot:free:)``.
    package var bytes: Int64?
    /// The zstd level for compressing, 1 to 19.
    package var level: Int
    /// The public keys to which compressed accounts are encrypted; nil for none.
    package var recipients: AgeRecipients?

    package init(
        accounts: Int? = nil, bytes: Int64? = nil, level: Int = Archive.coldLevel, recipients: AgeRecipients? = nil
    ) {
        (self.accounts, self.bytes, self.level, self.recipients) = (accounts, bytes, level, recipients)
    }

    /// Returns the limit on bytes that holds without one of the owner's: half of what the hot accounts and the free part of
    /// the disk have together. So the accounts alone never fill a disk, and compressing the largest of them always has
    /// room: it needs at most the account's size.
    static func usualBytes(hot: Int64, free: Int64) -> Int64 { hot / 2 + free / 2 }

    func isOver(accounts count: Int, bytes size: Int64) -> Bool {
        count > accounts ?? .max || size > bytes ?? .max
    }
}

/// The result of compressing accounts to keep a data folder within its limits.
package struct HotReport: Sendable, Hashable {
    /// The accounts that were compressed, in order.
    package var evicted: [AccountSummary] = []
    /// The accounts that could not be compressed; the next account was compressed instead.
    package var failed: [SkippedAccount] = []
    /// The number of hot accounts now.
    package var accounts = 0
    /// The bytes of the hot accounts' files now.
    package var bytes: Int64 = 0
    /// True if the hot accounts still exceed the limits, because nothing more could be compressed.
    package var isOver = false

    package init() {}
}
