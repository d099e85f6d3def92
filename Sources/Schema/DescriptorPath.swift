import CSQLite
import Files
import FoundationEssentials
import Glibc

/// Paths by which SQLite opens a file that this process has open and that may have no name.
///
/// SQLite 3.39 and later refuse `/proc/self/fd/7`, which is a symbolic link. So SQLite's function for opening files is
/// replaced by one that takes these paths and passes all others to the system.
enum DescriptorPath {
    /// A folder that does not exist, so that no file has such a path.
    private static let prefix = "/dev/scrollback-descriptor/"

    private typealias Open = @convention(c) (UnsafePointer<CChar>?, CInt, CInt) -> CInt

    /// Opens a path. SQLite gets its own copy of the descriptor.
    private static let open: Open = { path, flags, mode in
        guard let path, strncmp(path, prefix, prefix.utf8.count) == 0 else {
            return path.map { Glibc.open($0, flags, mode_t(truncatingIfNeeded: mode)) } ?? -1
        }
        return fcntl(atoi(path + prefix.utf8.count), F_DUPFD_CLOEXEC, 0)
    }

    private static let isKnown: Bool = {
        guard let unix = sqlite3_vfs_find("unix"), let replace = unix.pointee.xSetSystemCall else { return false }
        return replace(unix, "open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
    }()

    /// Returns the path of a descriptor.
    ///
    /// - Throws: ``ArchiveError`` with `storage` if this SQLite does not let that function be replaced.
    static func of(_ descriptor: Int32) throws(ArchiveError) -> String {
        guard isKnown else {
            throw ArchiveError(code: .storage, detail: "this SQLite can't open an unnamed file")
        }
        return prefix + String(descriptor)
    }
}
