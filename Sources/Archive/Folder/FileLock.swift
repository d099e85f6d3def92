import Foundation

/// A `flock` on a file, held until the value is released. Never converted from shared to exclusive.
///
/// `flock` belongs to the open file, so closing other descriptors of it does not drop it, as `fcntl` locks are dropped.
final class FileLock: Sendable {
    enum Mode: Sendable {
        case shared, exclusive
    }

    private let descriptor: Int32

    /// Nil when another process holds it in a mode that excludes this one.
    /// - Throws: ``ArchiveError`` when the file can't be opened.
    init?(path: String, mode: Mode) throws(ArchiveError) {
        // A shared lock is all that a reader of a folder that it may not write can take, and opening to read is enough.
        let flags = mode == .shared ? O_RDONLY : O_RDWR
        var opened = open(path, flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if opened < 0, mode == .shared { opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard opened >= 0 else { throw ArchiveError(path: path, errno: errno) }
        descriptor = opened
        guard flock(descriptor, (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else { return nil }
    }

    /// Locks a folder exclusively; nothing is made in it. Nil when another process holds the lock.
    /// - Throws: ``ArchiveError`` when the folder can't be opened.
    init?(folder: String) throws(ArchiveError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ArchiveError(path: folder, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    /// Whether somebody holds it, in any mode, as far as that can be looked at by whoever may only read the file.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// How long a writer waits for the instants in which readers look at its lock, and for commands that write: those hold
    /// it for two seconds at most (`StoreWriting`).
    static let patience = Duration.seconds(5)

    /// An exclusive one, which others may hold for a while.
    ///
    /// - Parameter held: Thrown when they hold it for longer.
    static func wait(for path: String, else held: @autoclosure () -> ArchiveError) async throws -> FileLock {
        try await wait(for: { () throws in try FileLock(path: path, mode: .exclusive) }, else: held())
    }

    /// The same for a folder.
    static func wait(forFolder path: String, else held: @autoclosure () -> ArchiveError) async throws -> FileLock {
        try await wait(for: { () throws in try FileLock(folder: path) }, else: held())
    }

    private static func wait(
        for take: () throws -> FileLock?, else held: @autoclosure () -> ArchiveError
    ) async throws -> FileLock {
        let start = ContinuousClock.now
        while true {
            if let lock = try take() { return lock }
            if ContinuousClock.now - start > patience { throw held() }
            try await pause()
        }
    }

    /// Waits before another look at a lock. Nothing wakes who waits for one: `flock` has no time limit, and a thread that is
    /// blocked in it can only be ended by a signal.
    static func pause() async throws { try await Task.sleep(for: .milliseconds(20)) }

    deinit {
        close(descriptor)
    }

    /// Puts the holder's name inside, for the error that others will see.
    func sign() {
        let text = "process \(getpid()) (\(CommandLine.arguments.prefix(2).joined(separator: " ")))\n"
        ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    /// What the holder put inside, cut at 200 bytes; empty when it can't be read.
    static func signature(path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return "" }
        return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

extension ArchiveError {
    /// A system call on `path` failed.
    init(path: String, errno code: Int32) {
        let reason = String(cString: strerror(code))
        switch code {
        case EACCES, EPERM, EROFS:
            self.init(code: .notPermitted, detail: "\(path): \(reason)")
        case ENOENT, ENOTDIR:
            self.init(code: .noArchive, detail: "\(path): \(reason)")
        default:
            self.init(code: .storage, detail: "\(path): \(reason)")
        }
    }
}
