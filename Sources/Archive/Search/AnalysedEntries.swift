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

/// The entries of a large batch of messages, analysed for the search index. While the first ones are written, another
/// thread analyses the others.
final class AnalysedEntries: Sendable {
    /// Some consecutive entries, which the first thread that needs them analyses.
    private final class Part: Sendable {
        private let entries: ArraySlice<SearchEntry>
        private let analysed = Mutex<[AnalysedEntry]>([])

        init(_ entries: ArraySlice<SearchEntry>) { self.entries = entries }

        func all() -> [AnalysedEntry] {
            analysed.withLock { analysed in
                if analysed.isEmpty { analysed = entries.map(AnalysedEntry.init) }
                return analysed
            }
        }
    }

    private let parts: [Part]

    private static let partSize = 64
    /// The limit of the bodies in bytes. The texts of an index take four times as much at most.
    private static let maximumBytes = 4 << 20

    /// - Returns: Nil if the entries are too few for two threads, or too large for memory.
    init?(_ entries: [SearchEntry]) {
        guard entries.count > 2 * Self.partSize,
            entries.reduce(0, { $0 + ($1.body?.utf8.count ?? 0) }) <= Self.maximumBytes
        else { return nil }
        parts = stride(from: 0, to: entries.count, by: Self.partSize).map { start in
            Part(entries[start..<min(start + Self.partSize, entries.count)])
        }
        DispatchQueue.global().async { [parts] in
            for part in parts.dropFirst() { _ = part.all() }
        }
    }

    subscript(index: Int) -> AnalysedEntry { parts[index / Self.partSize].all()[index % Self.partSize] }
}
