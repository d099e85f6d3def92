import CSQLite
import Foundation
import SQLite
import Synchronization

/// A disk that says for some time that it could not write down a write-ahead log, as one does that is about to die: what was
/// written is there all the same.
///
/// SQLite's own way to its files, with one method replaced.
enum FailingSync {
    private struct State {
        /// How many syncs of the file at a path are to fail from here on.
        var failures: [String: Int] = [:]
        /// By the address of SQLite's open file.
        var paths: [Int: String] = [:]
        /// Addresses of methods: the same with a sync that may fail, and back.
        var replaced: [Int: Int] = [:]
        var originals: [Int: Int] = [:]
    }

    // Never changed.
    private nonisolated(unsafe) static let original = sqlite3_vfs_find(nil)?.pointee ?? sqlite3_vfs()
    private static let state = Mutex(State())

    /// For every connection that is opened from here on, in the whole process.
    static let isInstalled: Bool = {
        let replacement = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        replacement.initialize(to: original)
        replacement.pointee.zName = UnsafePointer(strdup("failing-sync"))
        replacement.pointee.xOpen = { vfs, name, file, flags, result in
            let code = FailingSync.original.xOpen(vfs, name, file, flags, result)
            if code == SQLITE_OK, flags & SQLITE_OPEN_WAL != 0, let name, let file {
                FailingSync.replace(String(cString: name), file)
            }
            return code
        }
        return sqlite3_vfs_register(replacement, 1) == SQLITE_OK
    }()

    static func fail(_ path: String, times: Int) {
        state.withLock { $0.failures[path] = times }
    }

    /// How many of them are still to come.
    static func remaining(_ path: String) -> Int {
        state.withLock { $0.failures[path] ?? 0 }
    }

    private static func replace(_ path: String, _ file: UnsafeMutablePointer<sqlite3_file>) {
        guard let methods = file.pointee.pMethods else { return }
        let (address, key, original) = (Int(bitPattern: file), Int(bitPattern: methods), methods.pointee)
        let known = state.withLock { state -> Int in
            state.paths[address] = path
            if let known = state.replaced[key] { return known }
            let replacement = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            replacement.initialize(to: original)
            replacement.pointee.xSync = { file, flags in FailingSync.sync(file, flags) }
            state.replaced[key] = Int(bitPattern: replacement)
            state.originals[Int(bitPattern: replacement)] = key
            return Int(bitPattern: replacement)
        }
        file.pointee.pMethods = UnsafePointer(bitPattern: known)
    }

    private static func sync(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: CInt) -> CInt {
        let (address, methods) = (Int(bitPattern: file), Int(bitPattern: file?.pointee.pMethods))
        let (fails, original) = state.withLock { state in
            let path = state.paths[address] ?? ""
            let left = state.failures[path] ?? 0
            state.failures[path] = max(left - 1, 0)
            return (left > 0, state.originals[methods] ?? 0)
        }
        if fails { return SQLITE_IOERR | 4 << 8 }
        return UnsafePointer<sqlite3_io_methods>(bitPattern: original)?.pointee.xSync(file, flags) ?? SQLITE_MISUSE
    }
}
