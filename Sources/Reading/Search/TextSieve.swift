import SQLite
import Synchronization

/// Leaves out messages whose text can't be a hit where SQLite reads the text, so that a scan reads only the others whole. After
/// a number of texts, or when it is told to stop, it leaves out none, which soon fills the page that is being read.
final class TextSieve: Sendable {
    private let mayMatch: @Sendable (String) -> Bool
    private let isOver: @Sendable () -> Bool
    /// The number of texts after which none is left out.
    private let limit: Int
    private let read = Atomic(0)
    private let dropped = Atomic(0)
    private let isOpen: Atomic<Bool>

    /// The number of texts between two questions whether to stop.
    private static let interval = 256

    /// - Parameters:
    ///   - limit: The number of texts after which none is left out.
    ///   - mayMatch: Returns false for a text that can't be a hit.
    ///   - isOver: Returns true to stop.
    init(limit: Int, mayMatch: @escaping @Sendable (String) -> Bool, isOver: @escaping @Sendable () -> Bool) {
        (self.limit, self.mayMatch, self.isOver) = (limit, mayMatch, isOver)
        isOpen = Atomic(limit <= 0 || isOver())
    }

    /// The number of texts that were left out.
    var count: Int { dropped.load(ordering: .relaxed) }

    /// The condition for SQL.
    var test: TextTest {
        TextTest { [self] bytes in passes(bytes) }
    }

    private func passes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isOpen.load(ordering: .relaxed) else { return true }
        let read = read.wrappingAdd(1, ordering: .relaxed).newValue
        guard read < limit, read % Self.interval != 0 || !isOver() else {
            isOpen.store(true, ordering: .relaxed)
            return true
        }
        guard !mayMatch(String(decoding: bytes, as: UTF8.self)) else { return true }
        dropped.wrappingAdd(1, ordering: .relaxed)
        return false
    }
}
