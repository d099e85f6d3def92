import CSQLite

/// SQLite's settings for the process.
package enum SQLiteSettings {
    /// The size in bytes up to which SQLite keeps the pages that a savepoint may restore in memory. Above its default of
    /// 64 KiB it writes them to a temporary file, which a batch of 1,000 messages fills with up to 1.6 MB *(measured)*.
    private static let savepointMemory: Int32 = 2 << 20

    /// Call this before the process uses SQLite; later it has no effect.
    package static func apply() {
        // SQLite's count of its own memory, which nothing reads, takes a lock for each block: 7 of 100 instructions of an
        // import *(measured)*.
        _ = sqlite3_config_memstatus(0)
        _ = sqlite3_config_stmtjrnl_spill(savepointMemory)
    }
}
