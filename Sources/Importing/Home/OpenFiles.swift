import Glibc

/// The files that running processes have open, and who has a lock on a file.
///
/// A database is in use if a process of this user has it open (`/proc/PID/fd`), or if another process, also of another
/// user or in a sandbox, has one of SQLite's locks on it. A program that uses a database without a lock from another machine is not seen.
struct OpenFiles {
    private struct Place: Hashable {
        var device: UInt64
        var number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// The processes by their open files.
    private var holders: [Place: pid_t] = [:]

    /// The limit of open files that are examined: a thousand processes with 64 files each.
    private static let maximumFiles = 64_000

    /// Reads the open files of all processes of this user, except this one.
    init() {
        let own = getpid()
        for process in Self.names(in: "/proc").compactMap({ pid_t($0) }) where process != own {
            let folder = "/proc/\(process)/fd"
            for name in Self.names(in: folder) where holders.count < Self.maximumFiles {
                if let place = Place("\(folder)/\(name)") { holders[place] = process }
            }
        }
    }

    /// Returns the process that uses a database, such as `gajim (process 4242)`; nil if none does.
    func user(of path: String) -> String? {
        if let place = Place(path), let process = holders[place] { return Self.shown(process) }
        return Self.locker(of: path).map(Self.shown)
    }

    private static func shown(_ process: pid_t) -> String {
        guard process > 0 else { return "another program" }
        let name = (try? SQLiteFile.bytes(of: "/proc/\(process)/comm", count: 64)).map {
            String(decoding: $0, as: UTF8.self).prefix { !$0.isNewline }
        }
        return "\(name.map(String.init) ?? "a program") (process \(process))"
    }

    /// Returns the process with a lock on a database; -1 if a lock belongs to no single process.
    private static func locker(of path: String) -> pid_t? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (lockStart, lockLength)
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }

    /// The bytes of SQLite's locks on a file: `PENDING_BYTE`, `RESERVED_BYTE` and 510 shared ones (sqlite.org/lockingv3.html).
    private static let (lockStart, lockLength) = (off_t(0x4000_0000), off_t(512))

    private static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < maximumFiles, let entry = FolderEntry(next: stream, in: path) { names.append(entry.name) }
        return names
    }
}
