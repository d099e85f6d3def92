import Files
import FoundationEssentials
import Glibc
import Rendering

/// A copy of a configuration file, which replaces the file when a person has edited it.
package struct ConfigurationDraft: Sendable {
    /// The path of the copy, in the folder of the file, so that a rename replaces the file.
    package let path: String
    /// The path of the file, for errors.
    private let shown: String
    /// The file itself, where the path is a symbolic link.
    private let target: String
    private let original: Data
    private let mode: mode_t
    private let owner: (user: uid_t, group: gid_t)

    /// Copies the file, for its owner only.
    ///
    /// - Throws: ``ServiceError`` if the file can't be read or its folder can't be written.
    package init(of file: String) throws(ServiceError) {
        var status = stat()
        guard let real = realpath(file, nil) else { throw Self.failure("read", file) }
        target = String(cString: real)
        free(real)
        guard stat(target, &status) == 0, let bytes = FileManager.default.contents(atPath: target) else {
            throw Self.failure("read", file)
        }
        (shown, original, mode) = (file, bytes, status.st_mode & 0o7777)
        owner = (status.st_uid, status.st_gid)
        // The ending lets editors know the language.
        path = "\(URL(filePath: target).deletingPathExtension().path)-draft-\(getpid()).toml"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("create", path) }
        defer { close(descriptor) }
        do {
            try FileDescriptorWriter(descriptor: descriptor).write(Array(bytes)[...])
        } catch {
            unlink(path)
            throw Self.failure("write", path)
        }
    }

    package func isChanged() throws(ServiceError) -> Bool {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw Self.failure("read", path) }
        return bytes != original
    }

    /// Checks the draft as if it was the file.
    ///
    /// - Throws: ``ConfigurationError`` with all problems.
    package func check(_ read: (ConfigurationFile) throws(ConfigurationError) -> Configuration)
        throws(ConfigurationError)
    {
        _ = try read(ConfigurationFile.read(path, shownAs: shown))
    }

    /// Replaces the file with the draft, which gets its owner and mode.
    ///
    /// - Throws: ``ServiceError`` if the file has changed meanwhile, or can't be replaced. The draft stays then.
    package func replace() throws(ServiceError) {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        guard FileManager.default.contents(atPath: target) == original else {
            throw ServiceError(
                .notPermitted, "\(Sanitizer.line(shown)) was changed by another program meanwhile",
                hint: "copy your changes from \(Sanitizer.line(path))")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Self.failure("read", path) }
        defer { close(descriptor) }
        // Only root can give a file to another owner, and only root can have read a file of mode 0600 of one.
        _ = fchown(descriptor, owner.user, owner.group)
        guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0, rename(path, target) == 0 else {
            throw Self.failure("replace", shown)
        }
        do {
            try FolderEntries.synchronizeParent(of: target)
        } catch {
            throw Self.failure("replace", shown)
        }
    }

    /// Keeps other editors from replacing the file. Nil on a file system without locks, such as a home folder on NFS.
    private func lock() throws(ServiceError) -> FileLock? {
        do {
            if let lock = try FileLock(folder: target.parentFolder) { return lock }
        } catch {
            return nil
        }
        throw ServiceError(
            .notPermitted, "another program is replacing \(Sanitizer.line(shown))",
            hint: "your changes are in \(Sanitizer.line(path))")
    }

    package func remove() {
        unlink(path)
    }

    private static func failure(_ verb: String, _ path: String) -> ServiceError {
        let reason = String(cString: strerror(errno))
        return ServiceError(
            .notPermitted, "can't \(verb) \(Sanitizer.line(path)): \(reason)",
            hint: "check the owner and mode of its folder")
    }
}
