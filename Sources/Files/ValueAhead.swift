import Dispatch
import Synchronization

/// A value that another thread makes while the caller goes on, such as the next page of a reader.
///
/// The first thread that needs the value makes it, so a caller who comes before the other thread does not wait. Has the
/// ``ReadLimit`` of the task that asked for it.
package final class ValueAhead<Value: Sendable>: Sendable {
    private let make: @Sendable () throws -> Value
    private let made = Mutex<Result<Value, any Error>?>(nil)

    /// Begins to make the value on a thread that may wait for a disk.
    package init(_ make: @escaping @Sendable () throws -> Value) {
        let limit = ReadLimit.current
        self.make = { try ReadLimit.$current.withValue(limit, operation: make) }
        DispatchQueue(label: "ahead").async { _ = try? self.value() }
    }

    /// Returns the value, once it is made.
    ///
    /// - Throws: The error of making it.
    package func value() throws -> Value {
        try made.withLock { made in
            let result = made ?? Result(catching: make)
            made = result
            return try result.get()
        }
    }
}
