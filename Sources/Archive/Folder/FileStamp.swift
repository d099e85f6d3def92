import Foundation

/// What tells, without opening anything, that a database file may have changed: any commit changes its log, any
/// checkpoint the file itself.
///
/// Only looks: opening and closing a database file would drop SQLite's locks.
struct FileStamp: Equatable {
    private let file: Part?
    private let log: Part?

    /// Kernels stamp files by their tick, at most 10 ms apart: a change within so long of another may leave no trace.
    private static let tick: Int64 = 100_000_000

    private struct Part: Equatable {
        let inode: ino_t
        let size: off_t
        let modifiedNanoseconds: Int64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            inode = status.st_ino
            size = status.st_size
            modifiedNanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        }
    }

    init(database path: String) {
        file = Part(path)
        log = Part(path + "-wal")
    }

    /// Whether a reader who looked just after this stamp was taken can trust an equal one to mean that nothing changed.
    func isSettled(atNanoseconds now: Int64) -> Bool {
        let latest = max(file?.modifiedNanoseconds ?? 0, log?.modifiedNanoseconds ?? 0)
        return now - latest > Self.tick
    }
}
