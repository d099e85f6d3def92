import Glibc

/// A stamp that changes when a database file may have changed, taken without opening anything: every commit changes its
/// log, every checkpoint changes the file itself.
///
/// Uses only `stat`: opening and closing a database file would drop SQLite's locks.
package struct FileStamp: Equatable, Sendable {
    private let file: Part?
    private let log: Part?

    /// Ten times the longest interval of file times, in nanoseconds. Kernels set file times at ticks that are at most
    /// 10 ms apart, so a second change within a tick may leave no trace.
    private static let tick: Int64 = 100_000_000

    private struct Part: Equatable, Sendable {
        let inode: ino_t
        package let size: off_t
        let modifiedNanoseconds: Int64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            inode = status.st_ino
            size = status.st_size
            modifiedNanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        }
    }

    package init(database path: String) {
        file = Part(path)
        log = Part(path + "-wal")
    }

    /// Returns true if an equal stamp later proves that nothing changed since this one was taken.
    package func isSettled(atNanoseconds now: Int64) -> Bool {
        let latest = max(file?.modifiedNanoseconds ?? 0, log?.modifiedNanoseconds ?? 0)
        return now - latest > Self.tick
    }
}
