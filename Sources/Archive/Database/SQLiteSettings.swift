import CSQLite

/// SQLite's settings for the process.
package enum SQLiteSettings {
    /// Call this before the process uses SQLite; later it has no effect.
    package static func apply() {
        // SQLite's count of its own memory, which nothing reads, takes a lock for each block: 7 of 100 instructions of an
        // import *(measured)*.
        _ = sqlite3_config_memstatus(0)
    }
}
