import CSQLite
import SQLite
import Synchronization

/// Counts the steps that SQLite's virtual machine makes for one connection.
final class StepCounter: Sendable {
    private static let granularity = 100
    private let calls = Mutex(0)

    var steps: Int { calls.withLock { $0 * Self.granularity } }

    func count(of db: Database) {
        sqlite3_progress_handler(
            db.handle, CInt(Self.granularity),
            { context in
                guard let context else { return 0 }
                Unmanaged<StepCounter>.fromOpaque(context).takeUnretainedValue().calls.withLock { $0 += 1 }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
