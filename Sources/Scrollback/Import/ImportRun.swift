import ChatModel
import Foundation

/// Reads sources one after the other, and hands what they have to the store in batches.
struct ImportRun {
    /// What has been done so far.
    struct Done: Sendable {
        /// Empty ones too.
        var lines = 0
        var bytes: Int64 = 0
        var tally = ImportTally()
        /// The first lines that were not understood: where, and why.
        var examples: [String] = []
        /// The last line that was handed over.
        var place: (source: String, line: Int)?
    }

    typealias Store = ([ImportedLine]) async throws -> ImportTally

    /// One transaction: some milliseconds of the store's time.
    static let batchLines = 1000
    /// Of text. In a request each byte of it may be six.
    static let batchBytes = 256 * 1024
    /// About what keys and times take in a request.
    fileprivate static let entryBytes = 100
    private static let exampleCount = 5

    let options: ImportOptions
    /// Asked between batches.
    let isStopped: @Sendable () -> Bool
    private(set) var done = Done()
    private var pending: [SourceReader.Line] = []

    init(options: ImportOptions, isStopped: @escaping @Sendable () -> Bool) {
        self.options = options
        self.isStopped = isStopped
    }

    /// One source, to its end.
    ///
    /// - Throws: ``ImportStopped`` when told to stop, ``CommandError`` for a source that can't be read, and what `store`
    ///   throws. Of a source that breaks off, what was read is stored.
    mutating func read(_ source: ImportSource, store: Store, progress: (Done) -> Void) async throws {
        var reader = SourceReader(source, options: options, now: .now())
        let before = done.lines
        do {
            try await source.read(isStopped: isStopped) { bytes in
                pending += try reader.read(bytes)
                (done.lines, done.bytes) = (before + reader.count, done.bytes + Int64(bytes.count))
                while pending.count >= Self.batchLines { try await handOver(source, store, progress) }
            }
        } catch let error as CommandError where error.page == .input {
            try await finish(&reader, before, source, store, progress)
            throw error
        }
        try await finish(&reader, before, source, store, progress)
    }

    private mutating func finish(
        _ reader: inout SourceReader, _ before: Int, _ source: ImportSource, _ store: Store, _ progress: (Done) -> Void
    ) async throws {
        pending += try reader.finish()
        done.lines = before + reader.count
        while !pending.isEmpty { try await handOver(source, store, progress) }
        progress(done)
    }

    /// One batch.
    private mutating func handOver(_ source: ImportSource, _ store: Store, _ progress: (Done) -> Void) async throws {
        if isStopped() {
            done.lines -= pending.count
            throw ImportStopped()
        }
        var bytes = 0
        let batch = pending.prefix(Self.batchLines).prefix { line in
            defer { bytes += line.content.bytes }
            return bytes < Self.batchBytes
        }
        done.tally = done.tally + (try await store(batch.map(\.content)))
        done.place = batch.last.map { (source.shown, $0.number) }
        for case .unreadable(let line) in batch.map(\.content) where done.examples.count < Self.exampleCount {
            done.examples.append(line.reason)
        }
        pending.removeFirst(batch.count)
        progress(done)
    }
}

/// Told to stop, it did.
struct ImportStopped: Error {}

extension ImportedLine {
    /// Of its texts, about.
    fileprivate var bytes: Int {
        switch self {
        case .message(let message):
            [message.room, message.sender, message.body, message.remoteID].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
                + (message.versions.isEmpty && message.files.isEmpty && message.reactions.isEmpty
                    ? 0 : message.extraBytes)
                + (message.exact?.bytes ?? 0)
        case .unreadable(let line): line.payload.count
        case .imported(let span): span.room.utf8.count
        // About what its names, or what could not be stored, take.
        case .record(let record): (try? JSONEncoder().encode(record).count) ?? 0
        }
    }
}

extension ImportedMessage {
    fileprivate var extraBytes: Int {
        versions.reduce(0) { $0 + ($1.body?.utf8.count ?? 0) } + files.reduce(0) { $0 + $1.path.utf8.count }
            + reactions.reduce(0) { $0 + $1.text.utf8.count + $1.user.utf8.count + ImportRun.entryBytes }
    }
}

extension ExactMessage {
    fileprivate var bytes: Int {
        versions.reduce(0) { $0 + ($1.body?.utf8.count ?? 0) + ImportRun.entryBytes }
            + files.reduce(0) { $0 + $1.path.utf8.count + ImportRun.entryBytes }
            + reactions.reduce(0) { $0 + $1.text.utf8.count + ImportRun.entryBytes }
    }
}
