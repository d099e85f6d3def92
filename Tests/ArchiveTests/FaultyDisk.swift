import CSQLite
import Foundation
import Synchronization

/// A disk that does not let the files below a folder be opened: it hangs, or says that it can't.
///
/// SQLite's own way to its files, with one method before it.
enum FaultyDisk {
    private enum Fault {
        case hang
        case fail(CInt)
    }

    // Never changed.
    private nonisolated(unsafe) static let original = sqlite3_vfs_find(nil)?.pointee ?? sqlite3_vfs()
    private static let faults = NSCondition()
    // Under the condition's lock.
    private nonisolated(unsafe) static var byFolder: [String: Fault] = [:]
    private nonisolated(unsafe) static var waiting: [String: Int] = [:]

    /// For every connection that is opened from here on, in the whole process.
    static let isInstalled: Bool = {
        let replacement = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        replacement.initialize(to: original)
        replacement.pointee.zName = UnsafePointer(strdup("faulty-disk"))
        replacement.pointee.xOpen = { vfs, name, file, flags, result in
            let code = name.map { FaultyDisk.wait(String(cString: $0)) } ?? SQLITE_OK
            // Nothing was opened that would have to be closed.
            guard code == SQLITE_OK else {
                file?.pointee.pMethods = nil
                return code
            }
            return FaultyDisk.original.xOpen(vfs, name, file, flags, result)
        }
        return sqlite3_vfs_register(replacement, 1) == SQLITE_OK
    }()

    static func hang(_ folder: String) { set(.hang, folder) }
    static func fail(_ folder: String, _ code: CInt) { set(.fail(code), folder) }
    static func mend(_ folder: String) { set(nil, folder) }

    /// How many openings hang there.
    static func hanging(_ folder: String) -> Int {
        faults.withLock { waiting[folder] ?? 0 }
    }

    private static func set(_ fault: Fault?, _ folder: String) {
        faults.withLock {
            byFolder[folder] = fault
            faults.broadcast()
        }
    }

    private static func wait(_ path: String) -> CInt {
        faults.lock()
        defer { faults.unlock() }
        while let (folder, fault) = byFolder.first(where: { path.hasPrefix($0.key + "/") }) {
            if case .fail(let code) = fault { return code }
            waiting[folder, default: 0] += 1
            faults.wait()
            waiting[folder, default: 0] -= 1
        }
        return SQLITE_OK
    }
}
