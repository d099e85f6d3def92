import CSQLite
import Foundation
import Synchronization

/// A temporary folder of a test, which is removed with the value, or when the process exits.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/scrollback-test-" + UUID().uuidString.lowercased()
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        _ = (Self.removesAtExit, Self.countsNoMemory)
        Self.present.withLock { _ = $0.insert(path) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        Self.present.withLock { _ = $0.remove(path) }
    }

    /// The folders of this process that still exist.
    private static let present = Mutex<Set<String>>([])

    /// Lets SQLite not count its memory in this process, as in the program: tests on other threads wait for that count's lock at
    /// each block. It has no effect if a test without a folder already uses SQLite.
    private static let countsNoMemory = sqlite3_config_memstatus(0)

    /// Removes the remaining folders when the process calls `exit`, which releases no values. Exit tests end like that.
    private static let removesAtExit: Void = {
        atexit {
            for path in TemporaryFolder.present.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
        }
    }()
}
