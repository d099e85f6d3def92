import Dispatch
import SearchText
import Synchronization

/// The bodies of a large batch of messages, analysed for the search index. While the first ones are written, another
/// thread analyses the others.
final class AnalysedBodies: Sendable {
    /// Some consecutive bodies, which the first thread that needs them analyses.
    private final class Part: Sendable {
        private let bodies: ArraySlice<String?>
        private let texts = Mutex<[IndexedText]>([])

        init(_ bodies: ArraySlice<String?>) { self.bodies = bodies }

        func analysed() -> [IndexedText] {
            texts.withLock { texts in
                if texts.isEmpty { texts = bodies.map(AnalysedBodies.analyse) }
                return texts
            }
        }
    }

    private let parts: [Part]

    private static let partSize = 64
    /// The limit of the bodies in bytes. The texts of an index take four times as much at most.
    private static let maximumBytes = 4 << 20

    /// - Returns: Nil if the bodies are too few for two threads, or too large for memory.
    init?(_ bodies: [String?]) {
        guard bodies.count > 2 * Self.partSize,
            bodies.reduce(0, { $0 + ($1?.utf8.count ?? 0) }) <= Self.maximumBytes
        else { return nil }
        parts = stride(from: 0, to: bodies.count, by: Self.partSize).map { start in
            Part(bodies[start..<min(start + Self.partSize, bodies.count)])
        }
        DispatchQueue.global().async { [parts] in
            for part in parts.dropFirst() { _ = part.analysed() }
        }
    }

    subscript(index: Int) -> IndexedText { parts[index / Self.partSize].analysed()[index % Self.partSize] }

    /// The size in bytes above which only one body is analysed at a time, across all accounts, because analysing takes
    /// 30 times the size of the body in memory, which has up to 1 MiB.
    private static let longBody = 64 * 1024
    private static let longBodies = Mutex(())

    static func analyse(_ body: String?) -> IndexedText {
        guard let body, body.utf8.count > longBody else { return Analyser.analyse(body ?? "") }
        return longBodies.withLock { _ in Analyser.analyse(body) }
    }
}
