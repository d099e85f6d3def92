import Dispatch
package import SearchText
import Synchronization

/// The analysed form of a message, which the search index stores.
package struct AnalysedEntry: Sendable, Hashable {
    package var body: IndexedText
    package var facets: String

    init(_ entry: SearchEntry) {
        (body, facets) = (Self.analyse(entry.body), entry.facets)
    }

    /// The size in bytes above which only one body is analysed at a time, across all accounts, because analysing takes
    /// 30 times the size of the body in memory, which has up to 1 MiB.
    private static let longBody = 64 * 1024
    private static let longBodies = Mutex(())

    private static func analyse(_ body: String?) -> IndexedText {
        guard let body, body.utf8.count > longBody else { return Analyser.analyse(body ?? "") }
        return longBodies.withLock { _ in Analyser.analyse(body) }
    }
}

/// The new entries of a large batch of changes, analysed on another thread while the writer finds their rowids and writes
/// the first of them.
final class AnalysedEntries: Sendable {
    /// Some consecutive changes, which the first thread that needs them analyses.
    private final class Part: Sendable {
        private let changes: ArraySlice<SearchIndex.Change>
        private let analysed = Mutex<[AnalysedEntry?]>([])

        init(_ changes: ArraySlice<SearchIndex.Change>) { self.changes = changes }

        func analyse() { analysed.withLock { analyse(&$0) } }

        subscript(index: Int) -> AnalysedEntry? {
            analysed.withLock { analysed in
                analyse(&analysed)
                return analysed[index]
            }
        }

        private func analyse(_ analysed: inout [AnalysedEntry?]) {
            if analysed.isEmpty { analysed = changes.map { $0.new.map(AnalysedEntry.init) } }
        }
    }

    private let parts: [Part]

    private static let partSize = 64
    /// The limit of the bodies in bytes. The texts of an index take four times as much at most.
    private static let maximumBytes = 4 << 20

    /// - Returns: Nil if the changes are too few for two threads, or too large for memory.
    init?(_ changes: [SearchIndex.Change]) {
        guard changes.count > 2 * Self.partSize,
            changes.indices.reduce(0, { $0 + (changes[$1].new?.body?.utf8.count ?? 0) }) <= Self.maximumBytes
        else { return nil }
        parts = stride(from: 0, to: changes.count, by: Self.partSize).map { start in
            Part(changes[start..<min(start + Self.partSize, changes.count)])
        }
        DispatchQueue.global().async { [parts] in
            for part in parts { part.analyse() }
        }
    }

    /// Returns the new entry of the change at a place; nil if the change removes a message.
    subscript(place: Int) -> AnalysedEntry? { parts[place / Self.partSize][place % Self.partSize] }
}
