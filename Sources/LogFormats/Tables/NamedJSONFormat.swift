import Bytes
import ChatModel

/// Any JSON lines, an object a line, whose keys the user names as columns:
/// `time=ts,sender=user.name,text=content.0.text`.
package struct NamedJSONFormat: LogFormat {
    /// The same name as for Scrollback's own lines; the option `--columns` distinguishes the two.
    package static let name = "jsonl"
    package static let programs = "any program, with `--columns`"
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = true
    package static let ownerWords = [OwnWord.sender]

    private let mapping: ColumnMapping
    private var messages: TableMessages

    /// Recognises no file: only the user knows what the keys mean. ``TableProposal`` proposes it.
    package static func recognises(_ source: LogSource) -> Bool { false }

    /// - Throws: ``LogSourceError`` if the columns are not named, if there is no room, or if the times are ambiguous.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let mapping = source.choices.columns else { throw TableProposal.missing(for: source, Self.name) }
        self.mapping = mapping
        let samples = IRCLog.lines(of: source.beginning, first: 2000).lazy.map { line in
            JSONRow(line).flatMap { Self.value(of: .time, in: $0, mapping) } ?? []
        }
        messages = try TableMessages(source, hasRooms: mapping.columns[.room] != nil, samples: samples)
    }

    package var assumptions: [String] { messages.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard !line.bytes.isBlank else { return .nothing }
        guard let row = JSONRow(line.bytes) else { return .unreadable("it is not a JSON object") }
        let mapping = mapping
        return messages.message(line: line.number) { Self.value(of: $0, in: row, mapping) }
    }

    /// Returns the values of a part's keys, with a space between them; nil if the row has none of them.
    private static func value(
        of part: ColumnMapping.Part, in row: JSONRow, _ mapping: ColumnMapping
    ) -> ArraySlice<UInt8>? {
        let texts = (mapping.columns[part] ?? []).compactMap(row.text)
        return texts.isEmpty ? nil : Array(texts.joined(separator: " ").utf8)[...]
    }
}

/// An object of JSON, with its values by paths.
struct JSONRow {
    private let object: JSONValue

    /// Nil for anything but an object in UTF-8.
    init?(_ line: ArraySlice<UInt8>) {
        guard let object = try? JSONValue(object: LogLine(number: 1, bytes: line), limit: line.count),
            String(validating: line, as: UTF8.self) != nil
        else { return nil }
        self.object = object
    }

    /// Returns the text at a path such as `user.name` or `content.0.text`; nil if there is no string, number or truth
    /// value. A key may have dots itself.
    func text(at path: String) -> String? {
        Self.value(at: path[...], in: object).flatMap(Self.text)
    }

    private static func value(at path: Substring, in value: JSONValue) -> JSONValue? {
        if value.isList {
            let (parts, list) = (path.split(separator: ".", maxSplits: 1), (try? value.allElements()) ?? [])
            guard let index = parts.first.flatMap({ Int($0) }), list.indices.contains(index) else { return nil }
            return parts.count > 1 ? list[index].flatMap { Self.value(at: parts[1], in: $0) } : list[index]
        }
        let members = value.members
        func member(_ key: Substring) -> JSONValue? { members.last { $0.key == key }?.value }
        if let found = member(path) { return found }
        for dot in path.indices where path[dot] == "." {
            guard let inner = member(path[..<dot]) else { continue }
            if let found = Self.value(at: path[path.index(after: dot)...], in: inner) { return found }
        }
        return nil
    }

    private static func text(of value: JSONValue) -> String? {
        if let text = value.text { return text }
        if let truth = value.truth { return truth ? "1" : "0" }
        guard let number = value.number else { return nil }
        // A whole number is as it is written, however long.
        return number.utf8.contains { $0 == Byte.dot || $0 | 0x20 == UInt8(ascii: "e") }
            ? Double(number).map { "\($0)" } : number
    }

    /// True if a value, at most three levels deep, is a list with an object in it.
    var hasObjectLists: Bool { Self.hasObjectLists(object, depth: 3) }

    private static func hasObjectLists(_ object: JSONValue, depth: Int) -> Bool {
        object.members.contains { _, value in
            if value.isList { return (try? value.elements())?.contains(where: \.isObject) ?? false }
            return depth > 1 && hasObjectLists(value, depth: depth - 1)
        }
    }

    /// Returns the paths to the texts and numbers, in order of name, at most some levels deep.
    func paths(depth: Int = 3) -> [String] { Self.paths(in: object, prefix: "", depth: depth) }

    private static func paths(in object: JSONValue, prefix: String, depth: Int) -> [String] {
        object.members.sorted { $0.key < $1.key }.prefix(100).flatMap { key, value -> [String] in
            if value.isObject { return depth > 1 ? paths(in: value, prefix: prefix + key + ".", depth: depth - 1) : [] }
            return text(of: value) == nil ? [] : [prefix + key]
        }
    }
}
