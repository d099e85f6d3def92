import Glibc

/// The files that running processes have open, and who has a lock on a file.
///
/// A database is in use if a process of this user has it open (`/proc/PID/fd`), or if another process, also of another
/// user, has one of SQLite's locks on it. A program on another machine is seen only by its lock.
struct OpenFiles {
    private struct Holder {
        var process: pid_t
        /// The link to the file, such as `/proc/4242/fd/7`, which leads to the file whatever its path is for the process.
        var link: String
    }

    /// The processes with their open files, by the files' names without folders.
    private var holders: [Substring: [Holder]] = [:]

    /// The limit of open files that are examined: a thousand processes with 64 files each.
    private static let maximumFiles = 64_000

    /// Reads the names of the open files of all processes of this user, except this one. Opens and examines no file, because
    /// that waits for a disk or a server that hangs.
    init() {
        let own = getpid()
        var count = 0
        for process in Self.names(in: "/proc").compactMap({ pid_t($0) }) where process != own {
            let folder = "/proc/\(process)/fd"
            for name in Self.names(in: folder) where count < Self.maximumFiles {
                count += 1
                let link = "\(folder)/\(name)"
                guard let target = Self.target(of: link), target.hasPrefix("/") else { continue }
                holders[Self.name(of: target), default: []].append(Holder(process: process, link: link))
            }
        }
    }

    /// Returns the process that uses a database, such as `gajim (process 4242)`; nil if none does.
    func user(of path: String) -> String? {
        let own = Self.status(path)
        let holder = holders[Self.name(of: path)]?.first { holder in
            guard let own, let other = Self.status(holder.link) else { return false }
            return own.st_dev == other.st_dev && own.st_ino == other.st_ino
        }
        return holder.map { Self.shown($0.process) } ?? Self.locker(of: path).map(Self.shown)
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func name(of path: String) -> Substring { path.split(separator: "/").last ?? "" }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(link, &bytes, bytes.count)
        guard length > 0 else { return nil }
        return String(decoding: bytes.prefix(length).lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
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
