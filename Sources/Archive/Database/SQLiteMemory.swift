import CSQLite

/// SQLite's count of its own memory, which nothing here reads.
package enum SQLiteMemory {
    /// Ends the count. It takes a lock for each block: 7 of 100 instructions of an import *(measured)*. Has an effect
    /// only before the process uses SQLite.
    package static func stopCounting() { _ = sqlite3_config_memstatus(0) }
}
