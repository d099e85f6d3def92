import Files
import Glibc
import Rendering

/// The lock of a data folder, which its one listener holds while it exists.
///
/// It uses `flock(2)`, which the kernel releases however the process ends. The file is never removed, so that two
/// processes never lock different files with the same name.
package final class DataFolderLock: Sendable {
    /// The name of the lock's file, which has the process id and the command of its last holder.
    package static let name = "control.lock"

    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: ``ServiceError`` with `listenerRunning` if another process has it; with `notPermitted` or `noLocks`.
    package init(folder: String) throws(ServiceError) {
        let shown = Sanitizer.line(folder)
        let path = folder + "/" + Self.name
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw ServiceError(
                .notPermitted, "can't write to data folder \(shown): \(String(cString: strerror(errno)))",
                hint: "check its owner and mode, or choose another folder with --data")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let holder = Self.holder(descriptor)
            guard code == EWOULDBLOCK else {
                throw ServiceError(
                    .noLocks, "can't lock \(Sanitizer.line(path)): \(RefusedLock.reason(code))",
                    hint: RefusedLock.advice)
            }
            throw ServiceError(
                .listenerRunning, "a running listener\(holder) uses data folder \(shown)",
                hint: "stop it first, or choose another folder with --data")
        }
        let command = CommandLine.arguments.joined(separator: " ")
        ftruncate(descriptor, 0)
        try? FileDescriptorWriter(descriptor: descriptor).write("\(getpid()) \(command)\n")
    }

    deinit {
        close(descriptor)
    }

    /// Returns the process id of a data folder's listener; nil if none runs.
    package static func holder(folder: String) -> Int32? {
        let descriptor = open(folder + "/" + Self.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return process(descriptor)
    }

    /// Returns a text such as ` (process 4711)`; empty if the file has no process, for instance while it is being
    /// written.
    private static func holder(_ descriptor: Int32) -> String {
        process(descriptor).map { " (process \($0))" } ?? ""
    }

    private static func process(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Int32(String(decoding: bytes[..<count].prefix { $0 != 0x20 }, as: UTF8.self)) : nil
    }
}
