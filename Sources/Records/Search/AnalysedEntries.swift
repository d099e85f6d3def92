import Dispatch
package import SearchText
import Synchronization

/// The analysed form of a message, which the search index stores.
package struct AnalysedEntry: Sendable, Hashable {
    package var body: IndexedText
    package var facets: String

    package init(_ entry: SearchEntry) {
        (body, facets) = (Self.analyse(entry.body), entry.facets)
        if entry.body.map(body.lacksLetters) ?? false { facets += " \(IndexedText.rawFacet)" }
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

/// The new entries of a batch of changes that take long to analyse. Another thread does it in parts, from the moment a
/// part is full, while the writer stores the messages. An entry that takes less time than its way to the other thread is
/// left to the writer.
struct AnalysedEntries {
    /// Some entries, which the first thread that needs them analyses.
    private final class Part: Sendable {
        private let entries: [SearchEntry]
        private let analysed = Mutex<[AnalysedEntry]>([])

        init(_ entries: [SearchEntry]) { self.entries = entries }

        /// Returns the analysed entries, in their order.
        @discardableResult
        func analyse() -> [AnalysedEntry] {
            analysed.withLock { analysed in
                guard analysed.isEmpty else { return analysed }
                analysed.reserveCapacity(entries.count)
                // `map` would copy each entry, which takes long for what another thread wrote.
                for place in entries.indices { analysed.append(AnalysedEntry(entries[place])) }
                return analysed
            }
        }
    }

    private var parts: [Part] = []
    private var next: [SearchEntry] = []
    /// The size of all bodies in bytes.
    private var bytes = 0

    /// Larger parts begin later; smaller ones wake the other thread more often.
    static let partSize = 64
    /// The limit of the bodies in bytes. The texts of an index take four times as much at most, and
    /// 14 times for signs that stand for whole words, such as `㌖`.
    private static let maximumBytes = 4 << 20

    /// - Returns: The number of the entry; nil if it is left to the writer, as are entries too large for memory.
    mutating func analyse(_ entry: SearchEntry) -> Int? {
        guard let body = entry.body, !Analyser.isPlain(body) else { return nil }
        bytes += body.utf8.count
        guard bytes <= Self.maximumBytes else { return nil }
        let number = parts.count * Self.partSize + next.count
        next.append(entry)
        if next.count == Self.partSize {
            let part = Part(next)
            parts.append(part)
            next = []
            DispatchQueue.global().async { part.analyse() }
        }
        return number
    }

    /// Returns the entries of all full parts, in the order of their numbers.
    func analysed() -> Analysed { Analysed(parts: parts.map { $0.analyse() }) }

    struct Analysed {
        fileprivate let parts: [[AnalysedEntry]]

        /// Returns the entry with that number; nil for one of the last part, which is not full.
        subscript(number: Int) -> AnalysedEntry? {
            let part = number / partSize
            return part < parts.count ? parts[part][number % partSize] : nil
        }
    }
}
