import Bytes
import ChatModel

/// Any table of comma-separated values (RFC 4180), whose columns the user names. `;`, tabs and `|` separate as well.
package struct CSVFormat: LogFormat {
    package static let name = "csv"
    package static let programs = "any program, with `--columns`"
    /// 1 MiB: a text has 64 KiB, and a table may have columns that no message has.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = true
    /// Spreadsheets write tables in the encoding of the machine's language.
    package static let isAlwaysUTF8 = false
    package static let ownerWords = [OwnWord.sender]

    private let separator: UInt8
    /// The positions of the wanted columns, without repetitions, and the places of the parts among them.
    private let wanted: [Int]
    private let places: [ColumnMapping.Part: [Int]]
    /// The number of columns in the first record.
    private let width: Int
    private var header: Header
    private var messages: TableMessages

    private enum Header {
        case none
        /// The next record, or the one after it, has the names of the columns.
        case expected
        /// The next record has names if its time can't be read, because the columns are given by numbers.
        case possible
    }

    /// Recognises no file: only the user knows what the columns mean. ``TableProposal`` proposes it.
    package static func recognises(_ source: LogSource) -> Bool { false }

    package static func cutter() -> any SourceCutter { CSVRecordCutter(maximumRecord: maximumLine) }

    /// - Throws: ``LogSourceError`` if the columns are not named or not in the header, if there is no room, or if the
    ///   times are ambiguous.
    package init(_ source: LogSource) throws(LogSourceError) {
        let table = TableBeginning(source)
        guard let mapping = source.choices.columns else { throw TableProposal.missing(for: source, Self.name) }
        separator = table.separator
        header = mapping.isNumbered ? .possible : .expected
        width = table.header.count
        let positions = try mapping.positions(in: table.header)
        wanted = Set(positions.values.joined()).sorted()
        let wanted = wanted
        places = positions.mapValues { $0.compactMap { wanted.firstIndex(of: $0) } }
        let times = positions[.time] ?? []
        messages = try TableMessages(
            source, hasRooms: positions[.room] != nil, samples: table.rows.lazy.map { Self.joined($0, at: times) })
    }

    package var assumptions: [String] { messages.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes; is a quote not closed?") }
        guard !line.bytes.isBlank else { return .nothing }
        if case .none = header {} else if CSVRecord.Separator(of: line.bytes).isDeclared { return .nothing }
        let expected = header
        header = .none
        if case .expected = expected { return .nothing }
        let parsed = row(line)
        // The header of the columns, because it has names in place of times.
        if case .possible = expected, case .unreadable = parsed { return .nothing }
        return parsed
    }

    private mutating func row(_ line: LogLine) -> ParsedLine {
        guard let record = CSVRecord(line.bytes, separator: separator, wanted: wanted) else {
            return .unreadable("a quote is not closed")
        }
        guard record.count == width else {
            return .unreadable("it has \(record.count) columns, and the first record \(width)")
        }
        return messages.message(line: line.number) { part in
            places[part].map { Self.joined(record.fields.map { $0 ?? [] }, at: $0) }
        }
    }

    /// Returns the fields at some positions, with a space between them.
    private static func joined(_ fields: [ArraySlice<UInt8>], at positions: [Int]) -> ArraySlice<UInt8> {
        guard positions.count != 1 else {
            return positions.first.flatMap { fields.indices.contains($0) ? fields[$0] : nil } ?? []
        }
        return positions.filter(fields.indices.contains).map { fields[$0] }.reduce(into: [UInt8]()) { text, field in
            if !text.isEmpty { text.append(Byte.space) }
            text += field
        }[...]
    }
}

/// The first records of a table.
struct TableBeginning {
    let separator: UInt8
    /// The fields of the first record, without spaces around them.
    let header: [String]
    /// The fields of the records after it that are whole.
    let rows: [[ArraySlice<UInt8>]]

    /// The limit of records that are examined.
    private static let maximumRecords = 2000

    init(_ source: LogSource) {
        var records: [ArraySlice<UInt8>] = []
        var cutter = CSVRecordCutter(maximumRecord: CSVFormat.maximumLine)
        func add(_ line: LogLine) {
            if records.count <= Self.maximumRecords, !line.bytes.isBlank { records.append(line.bytes) }
        }
        cutter.cutLines(source.beginning[...], add)
        // The last record of a long file may continue after the beginning.
        if source.beginning.count < LogSource.beginningSize || records.isEmpty { cutter.finish(add) }
        let found = records.first.map { CSVRecord.Separator(of: $0) }
        let separator = found?.byte ?? Byte.comma
        if found?.isDeclared == true { records.removeFirst() }
        let fields = records.map { CSVRecord($0, separator: separator)?.fields.map { $0 ?? [] } }
        self.separator = separator
        header = (fields.first ?? nil)?.map { ColumnMapping.trimmed(String(decoding: $0, as: UTF8.self)) } ?? []
        rows = fields.dropFirst().compactMap(\.self)
    }
}
