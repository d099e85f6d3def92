package import ChatModel
import Foundation
import LogFormats
import Rendering

/// Reads sources one after the other, and hands what they have to the store in batches.
package struct ImportRun {
    /// What has been done so far.
    package struct Done: Sendable {
        /// Empty ones too; of exports in JSON, messages.
        var lines = 0
        /// Unpacked.
        var bytes: Int64 = 0
        var tally = ImportTally()
        /// What was read, by format.
        var formats: [String: Format] = [:]
        /// The first lines that were not understood: where, and why.
        var examples: [String] = []
        /// What had to be assumed: of how many sources, and of the first of them where and what.
        var assumptions: (sources: Int, examples: [String]) = (0, [])
        /// Messages with bytes that are not UTF-8, the files that have some, and how many of the first of them.
        var undecoded = UndecodedTexts()
        /// The last line that was handed over.
        var place: (file: String, line: Int)?

        var unit: Noun {
            guard let first = formats.first?.value.unit else { return .line }
            return formats.values.allSatisfy { $0.unit == first } ? first : .entry
        }
    }

    struct Format: Sendable {
        let unit: Noun
        var files = 0
        var lines = 0

        init(_ format: any LogFormat.Type) {
            unit = format.isLineByLine ? .line : .message
        }
    }

    package typealias Store = ([ImportedLine]) async throws -> ImportTally

    /// One transaction: some milliseconds of the store's time.
    static let batchLines = 1000
    /// Of text. In a request each byte of it may be six.
    static let batchBytes = 256 * 1024
    /// Of text, in one message, which a batch may have beyond its bytes: the longest line of a format, and some.
    static let maximumMessage = 640 * 1024
    /// Bytes of a source that are read between batches: 64 KiB can be 32,000 pieces of JSON, each a kilobyte of memory.
    private static let partBytes = 8 * 1024
    private static let exampleCount = 5
    static let assumptionCount = 20

    package let options: ImportOptions
    /// Asked between batches.
    package let isStopped: @Sendable () -> Bool
    private(set) var done = Done()
    /// Also of sources that have ended: those of a day's log are too few for a transaction of their own.
    private var pending: [SourceReader.Line] = []
    private var pendingBytes = 0

    package init(options: ImportOptions, isStopped: @escaping @Sendable () -> Bool) {
        self.options = options
        self.isStopped = isStopped
    }

    /// One source, to its end; what it has last waits for ``finish(store:progress:)``.
    ///
    /// - Parameter complain: A file of it that can't be read is told, and the others go on.
    /// - Throws: ``ImportStopped`` when told to stop, and what `store` throws.
    package mutating func read(
        _ source: ImportSource, store: Store, progress: (Done) -> Void, complain: (ImportError) -> Void
    ) async throws {
        var reader = SourceReader(source, options: options, now: .now())
        for file in source.files {
            reader.begin(file)
            do {
                try await read(file, &reader, store, progress)
                done.formats[source.format.name, default: Format(source.format)].files += 1
            } catch let error as ImportError where [.input, .importSource].contains(error.code) {
                complain(error)
            }
        }
        try take(&reader) { try $0.finish() }
        assume(reader.assumptions, of: source)
        done.undecoded.add(reader.undecoded)
    }

    /// What is left.
    package mutating func finish(store: Store, progress: (Done) -> Void) async throws {
        while !pending.isEmpty { try await handOver(store) }
        progress(done)
    }

    /// Of a file that breaks off, what was read is taken.
    private mutating func read(
        _ file: ImportFile, _ reader: inout SourceReader, _ store: Store, _ progress: (Done) -> Void
    ) async throws {
        do {
            let next = try file.open(isStopped: isStopped)
            while case var bytes = try next(), !bytes.isEmpty {
                while case let some = bytes.prefix(Self.partBytes), !some.isEmpty {
                    try take(&reader) { try $0.read(some) }
                    bytes = bytes.dropFirst(some.count)
                    done.bytes += Int64(some.count)
                    while pending.count >= Self.batchLines || pendingBytes >= Self.batchBytes {
                        try await handOver(store)
                    }
                }
                progress(done)
            }
        } catch let error as ImportError where error.code == .input {
            try take(&reader) { try $0.endFile() }
            throw error
        }
        try take(&reader) { try $0.endFile() }
    }

    private mutating func take(
        _ reader: inout SourceReader, _ lines: (inout SourceReader) throws -> [SourceReader.Line]
    ) rethrows {
        let before = reader.count
        let new = try lines(&reader)
        pending += new
        pendingBytes += new.reduce(0) { $0 + $1.bytes }
        done.lines += reader.count - before
        done.formats[reader.format.name, default: Format(reader.format)].lines += reader.count - before
    }

    /// One batch.
    private mutating func handOver(_ store: Store) async throws {
        if isStopped() { throw ImportStopped() }
        let batch = batch()
        done.tally = done.tally + (try await store(batch.map(\.content)))
        done.place = batch.last?.place ?? done.place
        for case .unreadable(let line) in batch.map(\.content) where done.examples.count < Self.exampleCount {
            done.examples.append(line.reason)
        }
        pendingBytes -= batch.reduce(0) { $0 + $1.bytes }
        pending.removeFirst(batch.count)
    }

    /// Up to the line that fills it.
    private func batch() -> [SourceReader.Line] {
        var bytes = 0
        return Array(
            pending.prefix(Self.batchLines).prefix { line in
                defer { bytes += line.bytes }
                return bytes < Self.batchBytes
            })
    }

    private mutating func assume(_ assumptions: [String], of source: ImportSource) {
        guard !assumptions.isEmpty else { return }
        done.assumptions.sources += 1
        guard done.assumptions.sources <= Self.assumptionCount else { return }
        let more = assumptions.count - Self.exampleCount
        for assumption in assumptions.prefix(Self.exampleCount) {
            done.assumptions.examples.append("\(source.shown): \(assumption)")
        }
        if more > 0 { done.assumptions.examples.append("\(source.shown): and \(more.grouped) more") }
    }

    /// Lines that were read and not handed over are not done.
    mutating func forgetPending() {
        done.lines -= pending.count
        (pending, pendingBytes) = ([], 0)
    }
}

/// Told to stop, it did.
struct ImportStopped: Error {}
