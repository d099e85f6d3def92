import CSQLite

/// SQLite's settings for the process.
package enum SQLiteSettings {
    /// Call this before the process uses SQLite; later it has no effect.
    ///
    /// - Parameter limitsMemory: True for a process that calls ``limitMemory()``.
    package static func apply(limitsMemory: Bool = false) {
        // SQLite's count of its own memory, which only a limit needs, takes a lock for each block: 7 of 100 instructions of
        // an import *(measured)*.
        _ = sqlite3_config_memstatus(limitsMemory ? 1 : 0)
    }

    /// The most memory that SQLite takes for a statement of a user and its accounts, 512 KiB of pages each. Sorting and
    /// grouping use files in TMPDIR.
    package static let memory: Int64 = 256 << 20

    /// Lets statements of this process fail that need more than ``memory`` bytes. Needs ``apply(limitsMemory:)``.
    package static func limitMemory() {
        sqlite3_hard_heap_limit64(memory)
        // Caches give pages back from here on.
        sqlite3_soft_heap_limit64(memory * 3 / 4)
    }
}
