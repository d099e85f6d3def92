/// How much of a data folder stays plain files; what is used least is compressed.
package struct HotLimits: Sendable, Hashable {
    /// Nil is any number.
    package var accounts: Int?
    /// Of the files with what SQLite keeps beside them; nil is any size.
    package var bytes: Int64?
    /// Of zstd, for those that are compressed.
    package var level: Int

    package init(accounts: Int? = nil, bytes: Int64? = nil, level: Int = Archive.coldLevel) {
        (self.accounts, self.bytes, self.level) = (accounts, bytes, level)
    }

    package var isUnlimited: Bool { accounts == nil && bytes == nil }

    func isOver(accounts count: Int, bytes size: Int64) -> Bool {
        count > accounts ?? .max || size > bytes ?? .max
    }
}

/// What bringing a data folder under its limits did.
package struct HotReport: Sendable, Hashable {
    /// Those that were compressed, in order.
    package var evicted: [String] = []
    /// Those that had their turn and could not be compressed, with the reason; the next had it instead.
    package var left: [ArchiveError] = []
    /// What is hot now.
    package var accounts = 0
    package var bytes: Int64 = 0
    /// Whether that is over the limits still, as nothing more could be compressed.
    package var isOver = false

    package init() {}
}
