import ChatModel
import Foundation
import LogFormats

/// From a source's bytes to the lines that are imported.
struct SourceReader {
    struct Line: Sendable {
        var number: Int
        var content: ImportedLine
    }

    private let format: any LogFormats.LogFormat.Type
    private let makeFormat: ([UInt8]) throws -> any LogFormats.LogFormat
    private let shown: String
    private let room: String?
    private let now: Timestamp
    private var cutter: any SourceCutter
    private var counter: OccurrenceCounter
    private var beginning: [UInt8] = []
    /// Nil until the beginning is there.
    private var state: (any LogFormats.LogFormat)?
    private var spans = RoomSpans()
    /// Lines so far, empty ones too.
    private(set) var count = 0

    init(_ source: ImportSource, options: ImportOptions, now: Timestamp) {
        format = options.format
        shown = source.shown
        room = options.room
        self.now = now
        cutter = options.format.cutter()
        counter = OccurrenceCounter(folding: options.folding)
        makeFormat = { beginning in
            do {
                return try options.format.init(
                    LogSource(
                        path: source.path == "-" ? "" : source.path, beginning: beginning, room: options.room,
                        zone: options.zone))
            } catch let error as LogSourceError {
                throw CommandError(error, of: source.shown)
            }
        }
    }

    /// - Throws: ``CommandError`` when it can't be told what the source is of.
    mutating func read(_ bytes: ArraySlice<UInt8>) throws -> [Line] {
        guard state == nil else { return lines { $0.read(bytes, $1) } }
        beginning += bytes
        return beginning.count < LogSource.beginningSize ? [] : try begin()
    }

    /// The source has ended.
    mutating func finish() throws -> [Line] {
        let lines = (state == nil ? try begin() : []) + lines { $0.finish($1) }
        let all = lines + held()
        for case .message(let message) in all.dropFirst(lines.count).map(\.content) { _ = spans.note(message) }
        return all + told(spans.take())
    }

    private func told(_ spans: [ImportedSpan]) -> [Line] {
        spans.map { Line(number: count, content: .imported($0)) }
    }

    /// What the format held back until the source ended.
    private mutating func held() -> [Line] {
        guard let parsed = state?.finish() else { return [] }
        let line = LogLine(number: count, bytes: [])
        return content(parsed, of: line, &counter).map { [Line(number: count, content: $0)] } ?? []
    }

    private mutating func begin() throws -> [Line] {
        state = try makeFormat(beginning)
        defer { beginning = [] }
        return lines { [beginning] in $0.read(beginning[...], $1) }
    }

    private mutating func lines(_ cut: (inout any SourceCutter, (LogLine) -> Void) -> Void) -> [Line] {
        var lines: [Line] = []
        var (cutter, state, counter) = (self.cutter, self.state, self.counter)
        self.counter = OccurrenceCounter(folding: .exact)
        cut(&cutter) { line in
            count += 1
            guard let parsed = state?.read(line), let content = content(parsed, of: line, &counter) else { return }
            if case .message(let message) = content { lines += told(spans.note(message)) }
            lines.append(Line(number: line.number, content: content))
        }
        (self.cutter, self.state, self.counter) = (cutter, state, counter)
        return lines
    }

    /// Nil for a line that says nothing.
    private func content(_ parsed: ParsedLine, of line: LogLine, _ counter: inout OccurrenceCounter) -> ImportedLine? {
        switch parsed {
        case .nothing:
            return nil
        case .record(let record):
            return .record(record)
        case .unreadable(let reason):
            return unreadable(line, reason)
        case .message(var message):
            let times = [message.place ?? message.time, message.editedAt, message.deletedAt].compactMap(\.self)
            if let time = times.first(where: { !$0.isBelieved(at: now) }) {
                return unreadable(line, "its time can't be true: \(time)")
            }
            counter.count(&message)
            return .message(message)
        }
    }

    private func unreadable(_ line: LogLine, _ reason: String) -> ImportedLine {
        .unreadable(
            UnreadableLine(room: room, payload: Array(line.bytes), reason: "\(shown):\(line.number): \(reason)"))
    }
}

/// What to read sources as.
struct ImportOptions: Sendable {
    var format: any LogFormats.LogFormat.Type
    /// Nil where the source tells it.
    var room: String?
    var zone: TimeZone
    /// Of the account that it goes to.
    var folding: NameFolding
}

extension CommandError {
    fileprivate init(_ error: LogSourceError, of source: String) {
        self =
            switch error {
            case .noDate:
                CommandError(
                    .importSource, "\(source): its name has no date, and its lines have none either",
                    hint: "name it after its day, such as example-2026-11-21.log")
            case .noRoom:
                CommandError(
                    .importSource, "\(source): neither its name nor its lines tell the room",
                    hint: "--room '#example' does")
            }
    }
}
