import Glibc

/// A `flock` on a file, held until the value is released. A lock never changes between shared and exclusive.
///
/// `flock` belongs to the open file: closing other descriptors of the file does not drop it, as it would drop `fcntl`
/// locks.
package final class FileLock: Sendable {
    package enum Mode: Sendable {
        case shared, exclusive
    }

    private let descriptor: Int32

    /// Locks a file, and creates it if it is missing. Nil if another process holds the lock in a conflicting mode.
    ///
    /// - Throws: ``ArchiveError`` if the file can't be opened; with `noLocks` if its file system refuses locks.
    package init?(path: String, mode: Mode) throws(ArchiveError) {
        // A reader without write access to the folder can only take a shared lock, for which opening to read is enough.
        let flags = mode == .shared ? O_RDONLY : O_RDWR
        var opened = uninterrupted { open(path, flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        if opened < 0, mode == .shared {
            let refusal = errno
            opened = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
            if opened < 0, errno == ENOENT {
                // In a read-only folder without the lock file, locks the folder instead, because no process of this user
                // can create the file.
                if refusal == EACCES || refusal == EROFS {
                    opened = uninterrupted { open(path.parentFolder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
                } else {
                    errno = refusal
                }
            }
        }
        guard opened >= 0 else { throw ArchiveError(path: path, errno: errno) }
        descriptor = opened
        guard try Self.take(descriptor, mode == .shared ? LOCK_SH : LOCK_EX, path) else { return nil }
    }

    /// Locks a folder exclusively, without creating a file in it. Nil if another process holds the lock.
    ///
    /// - Throws: ``ArchiveError`` if the folder can't be opened; with `noLocks` if its file system refuses locks.
    package init?(folder: String) throws(ArchiveError) {
        descriptor = uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw ArchiveError(path: folder, errno: errno) }
        guard try Self.take(descriptor, LOCK_EX, folder) else { return nil }
    }

    /// Returns false if another process holds the lock in a conflicting mode.
    ///
    /// - Throws: ``ArchiveError`` with `noLocks`.
    private static func take(_ descriptor: Int32, _ mode: Int32, _ path: String) throws(ArchiveError) -> Bool {
        if uninterrupted({ flock(descriptor, mode | LOCK_NB) }) == 0 { return true }
        let code = errno
        guard code == EWOULDBLOCK else {
            throw ArchiveError(code: .noLocks, detail: "can't lock \(path): \(RefusedLock.reason(code))")
        }
        return false
    }

    /// Returns true if a process holds the lock in any mode; false if the file can't be opened or locked.
    package static func isHeld(_ path: String) -> Bool {
        let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// The longest wait for a lock. Readers hold a writer's lock for an instant to check it, and commands that write
    /// hold it for 3 s at most (`StoreWriting`).
    package static let timeout = Duration.seconds(5)

    /// Waits for an exclusive lock, up to ``timeout``.
    ///
    /// - Parameter held: The error to throw when others hold the lock for longer.
    package static func wait(for path: String, else held: @autoclosure () -> ArchiveError) throws -> FileLock {
        try wait(for: { () throws in try FileLock(path: path, mode: .exclusive) }, else: held())
    }

    /// Waits for an exclusive lock on a folder, up to ``timeout``.
    package static func wait(forFolder path: String, else held: @autoclosure () -> ArchiveError) throws -> FileLock {
        try wait(for: { () throws in try FileLock(folder: path) }, else: held())
    }

    private static func wait(
        for take: () throws -> FileLock?, else held: @autoclosure () -> ArchiveError
    ) throws -> FileLock {
        let start = ContinuousClock.now
        while true {
            if let lock = try take() { return lock }
            if ContinuousClock.now - start > timeout { throw held() }
            try pause()
        }
    }

    /// Waits before the next attempt to take a lock. A blocking `flock` has no time limit, and only a signal can end
    /// it, so attempts are repeated instead.
    ///
    /// - Throws: A cancellation when nobody waits for the read.
    package static func pause() throws {
        try ReadLimit.current?.checkCancellation()
        usleep(20_000)
    }

    deinit {
        close(descriptor)
    }

    /// Writes the holder's name into the file, for the errors of other processes.
    package func sign() {
        let text = "process \(getpid()) (\(CommandLine.arguments.prefix(2).joined(separator: " ")))\n"
        ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    /// Returns the text that the holder wrote, cut at 200 bytes; empty if it can't be read.
    package static func signature(path: String) -> String {
        let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return "" }
        return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// The words for a `flock` that failed although no process holds the lock.
package enum RefusedLock {
    /// Returns the reason with the name of the error, such as `No locks available (ENOLCK)`.
    package static func reason(_ code: Int32) -> String {
        "\(String(cString: strerror(code))) (\(names[code] ?? "error \(code)"))"
    }

    package static let advice = "move the folder to a local disk; some network file systems have no locks"

    /// The errors of flock(2), and those that NFS and FUSE return for it.
    private static let names = [
        ENOLCK: "ENOLCK", EOPNOTSUPP: "EOPNOTSUPP", ENOSYS: "ENOSYS", EBADF: "EBADF", EINVAL: "EINVAL", EIO: "EIO",
        EACCES: "EACCES", EPERM: "EPERM", ESTALE: "ESTALE",
    ]
}

extension ArchiveError {
    /// Creates the error of a system call that failed on `path`.
    package init(path: String, errno code: Int32) {
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
