package import ChatModel
import LogFormats
import Rendering
import TextEncodings

/// Reads sources one after the other, and passes their messages to the store in batches. Reads the next batch while one
/// is stored.
///
/// ``ImportSearch`` finds the sources. A `SourceCutter` cuts their bytes into parts, or ``DatabaseChunks`` gives the rows
/// of a database as lines of JSON, and a `LogFormat` gives each part its meaning. The store recognises messages that it
/// has, also with another clock or spelling (`ImportAlignment`, `ImportMatch`).
package struct ImportRun {
    /// Stores a batch, and returns its tally. The batch counts as done after that.
    package typealias Store = @Sendable (ImportBatch) async throws -> ImportTally

    /// Stores a file beside the export, which the function opens, and returns the SHA-256 and the number of its bytes.
    package typealias StoreFile =
        @Sendable (_ open: () throws -> () throws -> ArraySlice<UInt8>) async throws -> (sha256: String, size: Int64)

    /// Removes those of the stored files, by their SHA-256, that no message has, and returns them.
    package typealias DropFiles = @Sendable (_ files: [String]) async throws -> [String]

    /// The treatment of the files beside an export, which its messages name.
    package enum FileTreatment: Sendable {
        case ignore
        /// Counts them, for a dry run.
        case count
        case store(StoreFile, drop: DropFiles)

        var isWanted: Bool { if case .ignore = self { false } else { true } }
    }

    /// The number of requests in one batch. Larger transactions write fewer pages twice; a batch takes some MB of
    /// memory.
    static let batchRequests = 3
    /// The number of lines in one request, which a listener stores in some milliseconds.
    static let requestLines = 1000
    /// The text of a request to a listener, in bytes. Each byte may become six.
    static let requestTexts = 256 * 1024
    /// The limit of a message's texts, files and reactions in one request, in bytes; a larger message is stored in
    /// parts. A request may exceed ``requestTexts`` by one message.
    static let maximumMessage = 640 * 1024
    /// The number of bytes of a source that are parsed at a time: 64 KiB could be 32,000 pieces of JSON, each
    /// of which takes a kilobyte of memory.
    private static let pieceBytes = 8 * 1024

    package let options: ImportOptions
    /// Returns true if the import should stop. Called between batches.
    package let isStopped: @Sendable () -> Bool
    /// The treatment of the files beside the exports; by default they are ignored.
    package var files = FileTreatment.ignore
    /// The files of all sources.
    var beside = FilesBeside(FoundFiles())
    private(set) var done = Done()
    /// Lines that are not stored yet. They may come from sources that have ended, because a log of one day has too few
    /// lines for a transaction.
    private var pending: [SourceReader.Line] = []
    private var pendingBytes = 0
    /// The rooms of the account, with those of the sources so far.
    private var rooms: AccountRooms
    /// The file of the last line that was handed over.
    private var lastFile: String?
    /// The batches that are being stored while the next one is read, in order, with the places of their lines.
    private var storing: [Storing] = []
    /// The limit of ``storing``. With one batch, reading would wait for each that takes longer to store than to read.
    private static let mostStoring = 2

    private typealias Storing = (
        lines: [ImportedLine], places: [(file: String, line: Int)], tally: Task<ImportTally, any Error>
    )

    package init(options: ImportOptions, isStopped: @escaping @Sendable () -> Bool) {
        self.options = options
        self.isStopped = isStopped
        rooms = options.rooms
    }

    /// Imports one source to its end. Its last lines wait for ``finish(store:progress:)``.
    ///
    /// - Parameter onError: Receives the error of a file that can't be read; the source's other files follow.
    /// - Throws: ``ImportStopped`` if asked to stop, and any error of `store`.
    package mutating func importSource(
        _ source: ImportSource, store: @escaping Store, progress: (Done) -> Void, onError: (ImportError) -> Void
    ) async throws {
        var reader = SourceReader(source, options: options, rooms: rooms, now: .now())
        defer { rooms = reader.rooms }
        var last: String?
        var hasFailed = false
        (done.encoding, done.rooms) = (nil, [])
        for file in source.files {
            // A format may read a file twice, one time after the other.
            let isNew = file.name != last
            last = file.name
            do {
                let encoding = try FileEncoding(
                    of: file, as: source.format, given: options.encoding, isStopped: isStopped)
                reader.survey = try file.survey(as: source.format, in: encoding, isStopped: isStopped)
                reader.begin(file, in: encoding)
                defer { done.note(reader.encoding, of: file) }
                try await importFile(file, &reader, store, progress)
                done.formats[source.format.name, default: Format(source.format)].files += isNew ? 1 : 0
            } catch let error as ImportError where [.input, .importSource].contains(error.code) {
                hasFailed = true
                onError(error)
            }
        }
        take(&reader) { $0.finish() }
        done.add(reader, of: source)
        if !hasFailed, !reader.hasContent, let error = ImportError(withoutContent: source, options) { onError(error) }
    }

    /// Stores the remaining lines.
    package mutating func finish(store: @escaping Store, progress: (Done) -> Void) async throws {
        while !pending.isEmpty { try await handOver(store) }
        try await settle()
        progress(done)
    }

    /// Imports a file. If the file breaks off, the lines before that point are imported.
    private mutating func importFile(
        _ file: ImportFile, _ reader: inout SourceReader, _ store: @escaping Store, _ progress: (Done) -> Void
    ) async throws {
        do {
            let input = try file.open(isStopped: isStopped)
            while case var bytes = try await next(of: input, &reader, store, progress), !bytes.isEmpty {
                while case let some = bytes.prefix(Self.pieceBytes), !some.isEmpty {
                    try take(&reader) { try $0.readChunk(some) }
                    bytes = bytes.dropFirst(some.count)
                    done.bytes += Int64(some.count)
                    while isBatchFull {
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

    /// Returns the next bytes of a file. Stores the pending lines first if the file is a pipe that is quiet.
    private mutating func next(
        of input: FileBytes, _ reader: inout SourceReader, _ store: @escaping Store, _ progress: (Done) -> Void
    ) async throws -> ArraySlice<UInt8> {
        if try input.isQuiet() {
            take(&reader) { $0.startEarly() }
            try await finish(store: store, progress: progress)
        }
        return try input.next()
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

    private var isBatchFull: Bool {
        pending.count >= Self.batchRequests * Self.requestLines
            || pendingBytes >= Self.batchRequests * Self.requestTexts
    }

    /// Begins to store one batch, once the batch before it is stored.
    private mutating func handOver(_ store: @escaping Store) async throws {
        if isStopped() { throw ImportStopped() }
        if done.files.isFull { try await settle() }
        let requests = requests()
        let number = requests.last?.upperBound ?? 0
        try await storeFiles(ofFirst: number)
        let (lines, places) = (pending.prefix(number).map(\.content), pending.prefix(number).map(\.place))
        let rest = pending.first?.rest ?? []
        pendingBytes -= pending.prefix(number).reduce(0) { $0 + $1.bytes }
        pending.removeFirst(number)
        let batch = ImportBatch(lines: lines, requests: requests, beginnings: beginnings(of: places))
        let tally = Self.begin(batch, rest, after: storing.last?.tally, store)
        storing.append((lines, places, tally))
        while storing.count > Self.mostStoring { try await count(storing.removeFirst()) }
    }

    private mutating func beginnings(of places: [(file: String, line: Int)]) -> [Int] {
        places.indices.filter { index in
            defer { lastFile = places[index].file }
            return places[index].file != lastFile
        }
    }

    /// - Parameters:
    ///   - rest: The further parts of the batch's only message.
    ///   - before: The batch before; a batch after one that fails is not stored.
    private static func begin(
        _ batch: ImportBatch, _ rest: [ImportedMessage], after before: Task<ImportTally, any Error>?,
        _ store: @escaping Store
    ) -> Task<ImportTally, any Error> {
        Task {
            _ = try await before?.value
            let tally = try await store(batch)
            if rest.isEmpty { return tally }
            var parts = [tally]
            for part in rest { parts.append(try await store(ImportBatch(lines: [.message(part)], requests: [0..<1]))) }
            return ImportTally(ofParts: parts)
        }
    }

    /// Waits until the batches that are being stored count as done, and removes the files whose messages the archive
    /// refused.
    mutating func settle() async throws {
        do {
            while !storing.isEmpty { try await count(storing.removeFirst()) }
        } catch {
            // Every later batch fails, too.
            storing = []
            try? await dropUnusedFiles()
            throw error
        }
        try await dropUnusedFiles()
    }

    private mutating func dropUnusedFiles() async throws {
        guard case .store(_, let drop) = files else { return }
        try await done.files.drop(by: drop)
    }

    private mutating func count(_ stored: Storing) async throws {
        let (lines, places, tally) = stored
        done.tally = done.tally + (try await tally.value)
        done.place = places.last ?? done.place
        for index in lines.indices { done.note(lines[index], at: places[index]) }
    }

    /// Stores the files of the first pending lines.
    private mutating func storeFiles(ofFirst number: Int) async throws {
        for index in pending.indices.prefix(number) {
            guard let source = pending[index].source, case .message(var message) = pending[index].content else {
                continue
            }
            try await done.files.add(
                filesOf: &message, from: source, in: beside, as: files, isStopped: isStopped)
            pending[index].content = .message(message)
            for part in pending[index].rest.indices {
                try await done.files.add(
                    filesOf: &pending[index].rest[part], from: source, in: beside, as: files, isStopped: isStopped)
            }
        }
    }

    /// Returns the ranges of the pending lines that make the requests of a batch, each up to the line that fills it. A
    /// message in parts is a batch, so that its parts can be counted as one.
    private func requests() -> [Range<Int>] {
        if let first = pending.first, !first.rest.isEmpty { return [0..<1] }
        var requests: [Range<Int>] = []
        while requests.count < Self.batchRequests, case let start = requests.last?.upperBound ?? 0 {
            var bytes = 0
            let lines = pending[start...].prefix(Self.requestLines).prefix { line in
                defer { bytes += line.bytes }
                return bytes < Self.requestTexts && line.rest.isEmpty
            }
            if lines.isEmpty { break }
            requests.append(lines.indices)
        }
        return requests
    }

    /// Reports by how many seconds the clocks of rooms' logs differ from the archive's.
    mutating func assume(clocks: [String: ClosedRange<Double>]) { done.assumptions.add(clocks: clocks) }

    /// Discards lines that were read but not stored, and no longer counts them as done.
    mutating func forgetPending() {
        done.lines -= pending.count
        (pending, pendingBytes) = ([], 0)
    }
}

/// The error of an import that stopped on request.
struct ImportStopped: Error {}
