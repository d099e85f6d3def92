import Bytes

/// A proposal of the columns of a table that no format claims, from the names in its header and from its values.
package struct TableProposal: Sendable, Hashable {
    /// The name of the format: `csv` or `jsonl`.
    package let format: String
    /// The value of `--columns`.
    package let columns: String
    /// The value of `--room`, from the file's name; nil if a column has the rooms or a room was given.
    package let room: String?

    private typealias Part = ColumnMapping.Part

    /// Returns nil for a source that is not a table with times.
    package init?(_ source: LogSource) {
        let found: (any TableSample)? = (JSONTable(source) as (any TableSample)?) ?? CSVTable(source)
        guard let table = found, let time = Self.time(in: table) else { return nil }
        let own = table.names.indices.first { !time.contains($0) && table.isOwn($0) }
        var used = time + [own].compactMap(\.self)
        let sender = Self.column(.sender, in: table, except: used)
        used += [sender].compactMap(\.self)
        guard let text = Self.text(in: table, except: used) else { return nil }
        let room = Self.column(.room, in: table, except: used + [text])
        let assignments: [(Part, [Int])] = [
            (.time, time), (.sender, [sender].compactMap(\.self)), (.text, [text]), (.room, [room].compactMap(\.self)),
            (.own, [own].compactMap(\.self)),
        ]
        columns = assignments.filter { !$0.1.isEmpty }.map { part, columns in
            part.rawValue + "=" + columns.map { table.names[$0] }.joined(separator: "+")
        }.joined(separator: ",")
        let stem = RoomName.stem(of: source.name).split(separator: ".").first.map(String.init)
        self.room = room != nil || source.room != nil ? nil : stem ?? "NAME"
        format = table.format
    }

    /// Returns the error of a table whose columns are not named.
    static func missing(for source: LogSource, _ format: String) -> LogSourceError {
        let proposal = TableProposal(source)
        let columns =
            proposal.map { "--columns \(quoted($0.columns))" } ?? "--columns time=COLUMN,sender=COLUMN,text=COLUMN"
        let room = (proposal?.room).map { " --room \(quoted($0))" } ?? ""
        return .unusable(reason: "its columns are not named", hint: "for example: \(columns)\(room)")
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "=,.+_-".contains($0) }
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }

    // MARK: - Columns

    /// Names of columns, without their marks, the best first. A name of the time may be that of a date alone.
    private static let names: [Part: [String]] = [
        .time: [
            "timestamp", "datetime", "time", "date", "createdat", "sentat", "created", "ts", "messagedate", "datesent",
            "날짜", "시간", "일시", "日時", "时间", "日期",
        ],
        .sender: [
            "sender", "user", "username", "from", "author", "authorname", "sendername", "displayname", "nick",
            "nickname",
            "name", "보낸사람", "사용자", "이름", "名前", "用户", "发送人", "昵称",
        ],
        .text: ["text", "message", "content", "body", "msg", "messagetext", "contents", "메시지", "내용", "本文", "消息", "内容"],
        .room: ["room", "channel", "channelname", "roomname", "chat", "chatname", "conversation", "group", "대화방"],
    ]

    /// Names of columns whose words are about the message.
    private static let notTexts = ["type", "subtype", "kind", "status", "state", "service", "folder", "level"]

    private static func column(_ part: Part, in table: some TableSample, except used: [Int]) -> Int? {
        column(part, in: table, among: table.names.indices.filter { !used.contains($0) })
    }

    private static func column(_ part: Part, in table: some TableSample, among columns: [Int]) -> Int? {
        let folded = table.folded
        return (names[part] ?? []).lazy.compactMap { name in columns.first { folded[$0] == name } }.first
    }

    /// Returns the column of the texts: the one with the best name, else one whose name ends in such a name
    /// (`StrContent`), else the one with the longest values. No column of times, ids or numbers is one.
    private static func text(in table: some TableSample, except used: [Int]) -> Int? {
        let texts = table.names.indices.filter { !used.contains($0) && !table.hasTimes([$0]) && !table.hasNumbers($0) }
        if let named = column(.text, in: table, among: texts) { return named }
        guard !table.isSingle else { return nil }
        let folded = table.folded
        let ending = ["text", "message", "content", "body"].lazy.compactMap { ending in
            texts.first { folded[$0].hasSuffix(ending) && !table.hasIDs($0) }
        }.first
        let taken = names.filter { $0.key != .text }.values.joined() + notTexts
        return ending ?? table.longest(among: texts.filter { !table.hasIDs($0) && !taken.contains(folded[$0]) })
    }

    /// Returns the column of the times, or two columns: of dates and of times of day.
    private static func time(in table: some TableSample) -> [Int]? {
        let folded = table.folded
        let known = (names[.time] ?? []).compactMap { folded.firstIndex(of: $0) }
        let others = table.names.indices.filter { !known.contains($0) }
        if let column = known.first(where: { table.hasTimes([$0]) }) { return [column] }
        // The date that comes first in the table comes first here, too.
        for date in known.sorted() {
            if let clock = known.first(where: { $0 != date && table.hasTimes([date, $0]) }) { return [date, clock] }
        }
        return others.first { table.hasTimes([$0]) }.map { [$0] }
    }
}

/// The beginning of a table.
private protocol TableSample {
    var format: String { get }
    /// The names or numbers of the columns, as `--columns` takes them.
    var names: [String] { get }
    /// The names in lower case, without marks; of a path, only the last part.
    var folded: [String] { get }
    /// The values of some rows, in the order of the columns.
    var rows: [[ArraySlice<UInt8>]] { get }
    /// True for one object of JSON, which is a table only if a key has the name of a text.
    var isSingle: Bool { get }
}

extension TableSample {
    fileprivate static func folded(_ names: [String]) -> [String] {
        names.map { name in
            (name.split(separator: ".").last ?? "").lowercased().filter { $0.isLetter || $0.isNumber }
        }
    }

    /// Returns true if the columns together are a time in nearly all rows.
    fileprivate func hasTimes(_ columns: [Int]) -> Bool {
        let times = rows.count { row in
            let text = Array(columns.map { row[$0].trimmed }.joined(separator: [Byte.space]))[...]
            return ColumnTime(digits: text) != nil || FreeTime(text) != nil
        }
        return !rows.isEmpty && times * 10 >= rows.count * 8
    }

    /// Returns true if the column has only the words of one's own messages, and their name or the longest words.
    fileprivate func isOwn(_ column: Int) -> Bool {
        let isNamed = OwnWord.columns.contains(folded[column])
        return allValues(of: column) { value in
            let word = String(decoding: value, as: UTF8.self)
            return isNamed ? OwnWord.isOwn(word) != nil : OwnWord.isDirection(word)
        }
    }

    /// Returns true if all values are numbers.
    fileprivate func hasNumbers(_ column: Int) -> Bool {
        allValues(of: column) {
            $0.allSatisfy { Byte.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        }
    }

    /// Returns true if the name ends in `id`, or if all values are one word with a digit, as ids, addresses and
    /// numbers of phones are.
    fileprivate func hasIDs(_ column: Int) -> Bool {
        let name = names[column]
        if ["ID", "Id", "_id", "-id", ".id", " id"].contains(where: name.hasSuffix) || name == "id" { return true }
        return allValues(of: column) { $0.contains(where: Byte.isDigit) && !$0.contains(Byte.space) }
    }

    /// Returns true if the test holds for each value of the column, and one is not empty.
    private func allValues(of column: Int, _ test: (ArraySlice<UInt8>) -> Bool) -> Bool {
        let values = rows.map { $0[column].trimmed }.filter { !$0.isEmpty }
        return !values.isEmpty && values.allSatisfy(test)
    }

    /// Returns the column with the longest values.
    fileprivate func longest(among columns: [Int]) -> Int? {
        columns.max { left, right in
            rows.reduce(0) { $0 + $1[left].count } < rows.reduce(0) { $0 + $1[right].count }
        }
    }
}

private struct CSVTable: TableSample {
    let format = CSVFormat.name
    let isSingle = false
    let names: [String]
    let folded: [String]
    let rows: [[ArraySlice<UInt8>]]

    init?(_ source: LogSource) {
        guard !Self.isMarked(source.beginning) else { return nil }
        let table = TableBeginning(source)
        let width = table.header.count
        let whole = table.rows.prefix(50).filter { $0.count == width }
        guard width >= 2, !whole.isEmpty, whole.count * 10 >= min(50, table.rows.count) * 8,
            !source.beginning.contains(0)
        else { return nil }
        // A header has no time.
        let first = table.header.map { Array($0.utf8)[...] }
        let hasHeader = !first.contains { FreeTime($0) != nil || ColumnTime(digits: $0) != nil }
        rows = (hasHeader ? [] : [first]) + whole
        names = table.header.enumerated().map { index, name in
            let isPlain = !name.isEmpty && !name.contains { ",+=".contains($0) } && Int(name) == nil
            return hasHeader && isPlain ? name : "\(index + 1)"
        }
        folded = Self.folded(names)
    }

    /// Returns true for the beginning of JSON or XML, whose commas separate no columns.
    private static func isMarked(_ beginning: [UInt8]) -> Bool {
        let marks = beginning.lazy.filter { !Byte.isJSONSpace($0) }.prefix(2)
        let pair = String(decoding: Array(marks), as: UTF8.self)
        return pair.hasPrefix("{") || pair.hasPrefix("<") || ["[{", "[[", "[\""].contains(pair)
    }
}

private struct JSONTable: TableSample {
    let format = NamedJSONFormat.name
    let isSingle: Bool
    let names: [String]
    let folded: [String]
    let rows: [[ArraySlice<UInt8>]]

    init?(_ source: LogSource) {
        let lines = IRCLog.lines(of: source.beginning, first: 20).filter { !$0.isBlank }
        let objects = lines.compactMap { JSONRow($0) }
        // The last line of a long file may continue after the beginning.
        guard let first = objects.first, objects.count >= lines.count - 1 else { return nil }
        isSingle = objects.count == 1
        // One object with a list of objects is a whole export, and no row of a table.
        guard !isSingle || !first.hasObjectLists else { return nil }
        let names = first.paths().filter { !$0.contains { ",+=".contains($0) } }
        guard names.count >= 2 else { return nil }
        self.names = names
        folded = Self.folded(names)
        rows = objects.map { row in names.map { Array((row.text(at: $0) ?? "").utf8)[...] } }
    }
}
