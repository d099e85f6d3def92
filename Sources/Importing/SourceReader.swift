import ChatModel
import LogFormats
import Rendering
import TextEncodings
import Writing

/// Turns a source's bytes into the lines that are imported.
struct SourceReader {
    struct Line: Sendable {
        /// The file, for people, and the number of the line in it.
        var place: (file: String, line: Int)
        var content: ImportedLine
        /// The further parts of a message that is too large for one.
        var rest: [ImportedMessage] = []
        /// The file of a message that names further files; nil for every other line.
        var source: ImportFile?
        /// The approximate size of the content and the rest.
        var bytes: Int
    }

    private let source: ImportSource
    private let options: ImportOptions
    private let now: Timestamp
    private let isLineByLine: Bool
    private var file: ImportFile?
    private var shown = ""
    private(set) var encoding = FileEncoding.utf8
    /// The encodings' assumptions of the files so far, each once.
    private var encodingAssumptions: [String] = []
    private var wide: WideDecoder?
    /// Decodes the bytes before the cutter; nil if the parts are decoded after it.
    private var records: RecordDecoder?
    private var cutter: any SourceCutter
    private var counter: OccurrenceCounter
    private var beginning: [UInt8] = []
    /// The format; nil until the source's beginning is complete.
    private var state: (any LogFormat)?
    private var spans = RoomSpans()
    /// The part that the format holds back, from its first line on.
    private var held: SourcePart?
    private(set) var undecoded = UndecodedTexts()
    private var owner: OwnerNaming
    private var roomNames: RoomNaming
    /// The messages with lines that may be in another encoding than the file, whose encoding is certain.
    private(set) var doubtful = UndecodedTexts()
    /// The lines so far, empty ones too; for JSON, the pieces with a content.
    private(set) var count = 0
    /// The number of the last part's line in its file.
    private var lastLine = 0
    /// The messages and records so far, and the lines that could not be read.
    private var (readable, invalid) = (0, 0)
    /// The format's survey of the next file; nil if there is none.
    var survey: (any LogSurvey)?

    /// The number of lines that may be damaged before a source counts as ``isDoubtful``.
    private static let fewLines = 10

    /// - Parameter rooms: The rooms of the account so far; nil for those of the options.
    init(_ source: ImportSource, options: ImportOptions, rooms: AccountRooms? = nil, now: Timestamp) {
        (self.source, self.options, self.now) = (source, options, now)
        roomNames = RoomNaming(rooms ?? options.rooms)
        cutter = source.format.cutter()
        isLineByLine = source.format.isLineByLine
        counter = OccurrenceCounter(folding: options.folding) { try OccurrenceFile() }
        owner = OwnerNaming(
            given: options.me, known: options.ownNames, words: source.format.ownerWords, folding: options.folding)
    }

    var format: any LogFormat.Type { source.format }
    /// The rooms of the account, with those of this source.
    var rooms: AccountRooms { roomNames.rooms }
    /// The assumptions so far, for people.
    var assumptions: [String] {
        let isRoomUnused = options.room != nil && state?.hasOwnRooms ?? false
        return encodingAssumptions + (state?.assumptions ?? [])
            + (isRoomUnused ? ["the export has several rooms, which keep their own names"] : [])
    }
    /// The messages whose content is left out because its kind is unknown.
    var unknownKinds: UnknownKinds { state?.unknownKinds ?? UnknownKinds() }
    /// The room, if the file's name has a date after it; nil otherwise.
    var roomBeforeDate: String? { state?.roomBeforeDate }
    /// The sender who stands for the account's own person and has no name; nil if there is none.
    var unnamedOwner: String? { owner.unnamed }
    /// A name of the account's own person that is probably another person's; nil if there is none.
    var doubtfulName: DoubtfulName? { owner.doubtful }
    /// True if the account's own person, whose name is known, sent a message.
    var hasOwner: Bool { owner.hasOwner }

    /// True if there was a message, a record or an invalid line.
    var hasContent: Bool { readable > 0 || invalid > 0 }

    /// True if a tenth of the lines that begin a message could not be read, as with a wrong order of day and month.
    var isDoubtful: Bool {
        let doubtful = invalid + (state?.doubtfulLines ?? 0)
        return doubtful >= Self.fewLines && doubtful * 9 >= readable
    }

    /// Begins a file of the source. The following bytes belong to it.
    mutating func begin(_ file: ImportFile, in encoding: FileEncoding = .utf8) {
        self.file = file
        self.encoding = encoding
        wide = encoding.wide.map(WideDecoder.init)
        records =
            isLineByLine || source.format.isAlwaysUTF8 || encoding.isUTF8 || wide != nil
            ? nil : RecordDecoder(encoding.lines, limit: source.format.maximumLine)
        shown = file.shown
        cutter = source.format.cutter()
        if let name = source.name(of: file) { state?.begin(file: name) }
    }

    /// Returns the lines in the next bytes.
    ///
    /// - Throws: ``ImportError`` if the source's room or date is unknown, ``ArchiveError`` when its messages can't be
    ///   counted.
    mutating func readChunk(_ bytes: ArraySlice<UInt8>) throws -> [Line] {
        encoding.grow(bytes)
        records?.decoder = encoding.lines
        guard state == nil else {
            let text = unicode(bytes)
            return try lines { $0.cutLines(text, $1) }
        }
        beginning += bytes
        // A character of ASCII has two bytes in UTF-16.
        return beginning.count < LogSource.beginningSize * (wide == nil ? 1 : 2) ? [] : try start()
    }

    /// Begins with the bytes of a slow pipe that have arrived, if the format finds a message in them and is sure how to
    /// read it. Otherwise waits for the source's whole beginning.
    mutating func startEarly() -> [Line] {
        guard state == nil, isLineByLine || !source.format.isAlwaysUTF8 else { return [] }
        var early = self
        guard let lines = try? early.start(isEarly: true) else { return [] }
        let hasMessage = lines.contains { if case .message = $0.content { true } else { false } }
        guard hasMessage || early.held != nil else { return [] }
        self = early
        return lines
    }

    private mutating func unicode(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        wide?.decode(bytes)[...] ?? records?.decode(bytes)[...] ?? bytes
    }

    /// Ends the file, and returns its last lines and the message that the format held back.
    mutating func endFile() throws -> [Line] {
        encoding.finish()
        records?.decoder = encoding.lines
        if let new = encoding.assumption, !encodingAssumptions.contains(new) { encodingAssumptions.append(new) }
        let begun = try state == nil ? start() : []
        let end = wide?.finish()[...] ?? records?.finish()[...] ?? []
        let rest = try begun + lines { $0.cutLines(end, $1) } + lines { $0.finish($1) }
        guard let parsed = state?.finish() else { return rest }
        let part = held ?? SourcePart(LogLine(number: lastLine, bytes: []))
        held = nil
        var (last, counter) = ([Line](), counter)
        self.counter = OccurrenceCounter(folding: .exact)
        appendLine(parsed, of: part, to: &last, &counter)
        self.counter = counter
        if let failure = counter.failure { throw failure }
        return rest + last
    }

    /// Ends the last file, and returns the spans.
    mutating func finish() -> [Line] { spanLines(spans.take()) }

    private func spanLines(_ spans: [ImportedSpan]) -> [Line] {
        spans.map { Line(place: (shown, lastLine), content: .imported($0), bytes: $0.room.utf8.count) }
    }

    /// - Parameter isEarly: True to fail if the format has to assume how to read the source.
    private mutating func start(isEarly: Bool = false) throws -> [Line] {
        let text = unicode(beginning[...])
        self.beginning = []
        let beginning = wide == nil && records == nil ? encoding.decodedLines(Array(text)) : Array(text)
        var log = LogSource(
            path: file?.unpackedPath ?? "", beginning: Array(beginning.prefix(LogSource.beginningSize)),
            room: options.room, zone: options.zone, now: now)
        (log.choices, log.survey, log.rooms) = (options.choices, survey, rooms.written(by: source.format))
        do {
            state = try source.format.init(log)
        } catch {
            throw ImportError(error, of: shown, as: source.format)
        }
        if state?.namesOwner == true { owner.ignoreWords() }
        guard !isEarly || assumptions.isEmpty else {
            throw ImportError(.importSource, shown, "too little of it has come", hint: nil)
        }
        if let file, let name = source.name(of: file) { state?.begin(file: name) }
        return try lines { $0.cutLines(text, $1) }
    }

    private mutating func lines(_ cut: (inout any SourceCutter, (LogLine) -> Void) -> Void) throws -> [Line] {
        var lines: [Line] = []
        var (cutter, state, counter) = (self.cutter, self.state, self.counter)
        // Taken out, so that what they hold back is not copied with each part: a line has up to 4 MiB.
        (self.cutter, self.state) = (LineCutter(maximumLine: 0), nil)
        self.counter = OccurrenceCounter(folding: .exact)
        cut(&cutter) { line in
            lastLine = line.number
            let part =
                source.format.decodesLines
                ? SourcePart(line)
                : records?.take(line) ?? SourcePart(line, by: encoding.lines, limit: source.format.maximumLine)
            guard let parsed = state?.parseLine(part.line) else { return }
            if isLineByLine || parsed != .nothing { count += 1 }
            let own = own(part, parsed, held: state?.heldLine)
            appendLine(parsed, of: own, to: &lines, &counter)
        }
        (self.cutter, self.state, self.counter) = (cutter, state, counter)
        if let failure = counter.failure { throw failure }
        return lines
    }

    /// Returns the part to which a result belongs: the part that was held back, if this one has ended it.
    ///
    /// - Parameter new: The first line that is held back now.
    private mutating func own(_ part: SourcePart, _ parsed: ParsedLine, held new: LogLine?) -> SourcePart {
        if let held, held.line.number == new?.number {
            if parsed == .nothing { self.held?.append(part) }
            return part
        }
        defer { held = new.map { $0.number == part.line.number ? part : SourcePart($0) } }
        return held ?? part
    }

    /// Appends the line of a result, after the line about the account's own person if that is their first message.
    private mutating func appendLine(
        _ parsed: ParsedLine, of part: SourcePart, to lines: inout [Line], _ counter: inout OccurrenceCounter
    ) {
        guard let line = line(parsed, of: part, &counter) else { return }
        if case .unreadable = line.content { invalid += 1 } else { readable += 1 }
        let early = spans.takeEarly()
        if !early.isEmpty { lines += spanLines(early) }
        if let owner = owner.take() {
            lines.append(
                Line(place: line.place, content: .owner(owner), bytes: owner.names.reduce(0) { $0 + $1.utf8.count }))
        }
        lines.append(line)
    }

    /// Returns nil for a part without content.
    private mutating func line(_ parsed: ParsedLine, of part: SourcePart, _ counter: inout OccurrenceCounter) -> Line? {
        switch parsed {
        case .nothing: return nil
        case .record(let record):
            if let time = record.impossibleTime(at: now) { return unreadable(part, Self.impossible(time)) }
            // Counts as many bytes as the line from which the record came.
            return Line(place: (shown, part.line.number), content: .record(record), bytes: part.line.bytes.count)
        case .unreadable(let reason): return unreadable(part, reason)
        case .message(let message): return line(message, of: part, &counter)
        }
    }

    private mutating func line(
        _ parsed: ImportedMessage, of part: SourcePart, _ counter: inout OccurrenceCounter
    ) -> Line {
        var message = parsed
        if let time = message.impossibleTime(at: now) { return unreadable(part, Self.impossible(time)) }
        if options.usesServerIDs { message.identifyByServer() }
        let size = message.bytes
        let isWhole = size <= ImportRun.maximumMessage
        guard isWhole || message.parts(ofBytes: ImportRun.maximumMessage) != nil else {
            return unreadable(part, "one of its texts is longer than \(ImportRun.maximumMessage) bytes")
        }
        if part.reading >= .doubtful {
            if part.reading == .undecodable { undecoded.count(in: shown) }
            if part.reading == .doubtful, encoding.doubt == nil { doubtful.count(in: shown) }
            message.flags.insert(.invalidUTF8)
            if !message.flags.contains(.wiped) { message.raw = part.payload }
        }
        message.hasNameOfItsTime = source.format.keepsNames
        owner.mark(&message)
        counter.count(&message)
        spans.note(message)
        roomNames.mark(&message, format: source.format, path: file?.unpackedPath ?? "")
        var line = Line(
            place: (shown, part.line.number), content: .message(message), bytes: size + (message.raw?.count ?? 0))
        if message.namesFiles { line.source = file }
        if !isWhole, let parts = message.parts(ofBytes: ImportRun.maximumMessage), let first = parts.first {
            (line.content, line.rest) = (.message(first), Array(parts.dropFirst()))
        }
        return line
    }

    private static func impossible(_ time: Timestamp) -> String { "its time can't be true: \(time)" }

    private func unreadable(_ part: SourcePart, _ reason: String) -> Line {
        let number = part.line.number
        let line = UnreadableLine(
            room: options.room, payload: part.payload, reason: "\(shown):\(number): \(reason)")
        return Line(place: (shown, number), content: .unreadable(line), bytes: line.payload.count)
    }
}

extension ImportedMessage {
    fileprivate var namesFiles: Bool {
        !files.isEmpty || !(exact?.files.isEmpty ?? true) || facts?.picture != nil || facts?.roomPicture != nil
    }
}
