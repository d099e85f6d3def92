import Accounts
import Bytes
import Synchronization

/// The plain accounts that are open. Cold accounts have one private copy at a time and are not kept.
final class HeldReaders: Sendable {
    let readers = Mutex<[ExactString: (reader: AccountReader, lastUse: ContinuousClock.Instant)]>([:])

    /// Returns the reader of an account, and notes its use; nil if the account is not open.
    func use(_ name: ExactString) -> AccountReader? {
        readers.withLock { readers in
            readers[name]?.lastUse = .now
            return readers[name]?.reader
        }
    }
}
