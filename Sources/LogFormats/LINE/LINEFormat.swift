import Bytes
import ChatModel

/// The text that LINE's "Export chat history" writes, in Japanese, Korean, Chinese, Thai and English: a line for each day;
/// and for each message a time, a name and a text, separated by tabs. LINE for Windows and macOS may write spaces in
/// place of tabs.
///
/// A message of several lines is in quotes. It continues until the next line that begins a day or a record.
package struct LINEFormat: LogFormat {
    package static let name = "line"
    package static let programs = "LINE"
    /// 64 KiB of text, and the time and name before it.
    package static let maximumLine = HeldText.maximumSize + 1024
    package static let hasLocalTimes = true
    package static let hidesOwner = true
    /// The account's own person in the sentences of the app, in Chinese and English. Messages have the person's name.
    package static let ownerWords = ["您", "You"]

    /// A record that may continue.
    private struct Held {
        var line: LogLine
        /// Nil if the date is unknown, or not in the calendar.
        var time: LineTime?
        var sender: ArraySlice<UInt8>?
        var text: HeldText
        /// True while the quotes of the text are not closed.
        var isOpen: Bool
    }

    private let room: String
    private let separator: UInt8
    private let names: LINENames
    private let isMonthFirst: Bool
    private let hasAssumedOrder: Bool
    private var clock: LogClock
    private var day: LINEDay?
    private var held: Held?
    /// A day within quotes, until the next line shows whether it is one; and the empty lines after it.
    private var possibleDay: (day: LINEDay, line: ArraySlice<UInt8>, emptyLines: Int)?
    /// True before the first day or record.
    private var isInHeader = true

    /// - Throws: ``LogSourceError/noRoom`` if neither the title nor the file's name has a room, and none is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = source.room ?? Self.room(of: source) else { throw .noRoom }
        self.room = room.withoutNUL
        let lines = IRCLog.lines(of: source.beginning)
        separator = Self.separator(in: lines)
        names = separator == Byte.space ? LINENames(lines) : LINENames([])
        let days = lines.lazy.compactMap { line in
            if case .day(let day)? = LINELine(line, separator: Byte.tab) { day } else { nil }
        }
        let order = days.compactMap(\.isMonthFirst).first
        isMonthFirst = order ?? true
        hasAssumedOrder = order == nil && days.contains { $0.isAmbiguous }
        clock = LogClock(zone: source.zone, now: source.now)
    }

    package var heldLine: LogLine? { held?.line }

    package var assumptions: [String] {
        (hasAssumedOrder ? ["dates read with the month first, because no day near the beginning shows the order"] : [])
            + (separator == Byte.space ? [names.assumption] : [])
            + clock.assumptions
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        switch LINELine(line.bytes, separator: separator) {
        case .day(let day) where held?.isOpen == true:
            keepPossibleDay()
            possibleDay = (day, line.bytes, 0)
            return .nothing
        case .day(let day):
            let before = finish()
            (self.day, isInHeader) = (day, false)
            return before
        case .record(let record): return begin(names.whole(record, in: line.bytes), line)
        case nil: return continueRecord(line)
        }
    }

    package mutating func finish() -> ParsedLine {
        possibleDay = nil
        guard let held else { return .nothing }
        self.held = nil
        guard let time = held.time else {
            return .unreadable(day == nil ? "no earlier line gives its date" : "its date does not exist")
        }
        return .message(message(held, at: time))
    }

    private mutating func begin(_ record: LINERecord, _ line: LogLine) -> ParsedLine {
        let newDay = record.day ?? possibleDay?.day
        let before = finish()
        day = newDay ?? day
        isInHeader = false
        let time = day.flatMap { day in
            clock.resolve(
                LineStamp(
                    date: day.date(isMonthFirst: isMonthFirst), seconds: record.time.seconds,
                    resolution: record.time.resolution), line: line.number)
        }
        let isOpen = record.text.first == Byte.quote && !Self.closes(record.text.dropFirst())
        held = Held(
            line: line, time: time, sender: record.sender, text: HeldText(record.text, isCut: line.isCut),
            isOpen: isOpen)
        return before
    }

    private mutating func continueRecord(_ line: LogLine) -> ParsedLine {
        guard held != nil else {
            if line.bytes.isBlank || isInHeader && (Self.isHeader(line.bytes) || isTitle(line)) { return .nothing }
            return .unreadable("it has no time, and no line before it begins a message")
        }
        if line.bytes.isEmpty, possibleDay != nil {
            possibleDay?.emptyLines += 1
            return .nothing
        }
        keepPossibleDay()
        held?.text.append(line.bytes, isCut: line.isCut)
        if Self.closes(line.bytes) { held?.isOpen = false }
        return .nothing
    }

    private func isTitle(_ line: LogLine) -> Bool {
        line.number == 1 && Self.words(around: String(decoding: line.bytes, as: UTF8.self)) != nil
    }

    /// Appends a line that looked like a day to the message, because no record follows it.
    private mutating func keepPossibleDay() {
        guard let possible = possibleDay else { return }
        possibleDay = nil
        held?.text.append(possible.line, isCut: false)
        for _ in 0..<possible.emptyLines { held?.text.append([], isCut: false) }
    }

    /// Returns true if a quote that is not doubled ends the line.
    private static func closes(_ line: ArraySlice<UInt8>) -> Bool {
        line.reversed().prefix { $0 == Byte.quote }.count % 2 == 1
    }
}

// MARK: - Messages

extension LINEFormat {
    private func message(_ held: Held, at time: LineTime) -> ImportedMessage {
        let text = Self.unquoted(held.text.whole)
        var message = ImportedMessage(
            room: room, roomKind: .group, kind: .message, sender: nil, body: nil, time: time.time,
            resolution: time.resolution,
            place: time.place, flags: held.text.isCut ? .oversize : [])
        if let sender = held.sender, separator == Byte.tab || Self.notice(of: sender, text) == nil {
            if LINENotice.isUnsent(text) {
                message.set(.message, sender, nil)
                message.deletedAt = time.time
            } else if let file = Self.file(in: text) {
                message.set(.message, sender, nil)
                message.files = [.init(path: LogText(file).string)]
            } else {
                message.set(.message, sender, text)
            }
            return message
        }
        guard let notice = held.sender.flatMap({ Self.notice(of: $0, text) }) ?? LINENotice(text) else {
            message.set(.system, nil, LINENotice.withoutIsolates(text))
            return message
        }
        switch notice.event {
        case .join: message.set(.join, notice.sender, nil)
        case .leave: message.set(.leave, notice.sender, nil)
        case .invite: message.set(.invite, notice.sender, notice.person)
        case .kick: message.set(.kick, notice.sender, notice.person)
        case .unsent:
            message.set(.message, notice.sender, nil)
            message.deletedAt = time.time
        }
        return message
    }

    /// Returns the sentence about a person that has a space behind the name, such as `Hana joined the group.`; nil for
    /// another text.
    private static func notice(of sender: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> LINENotice? {
        // The longest sentence and the longest name have less than 300 bytes.
        guard text.count < 300 else { return nil }
        return LINENotice(sender + [Byte.space] + text).flatMap { $0.sender == sender ? $0 : nil }
    }

    /// Returns the text of several lines without its quotes, and with each doubled quote inside as one.
    private static func unquoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.first == Byte.quote, text.count > 1, text.contains(Byte.lineFeed), closes(text.dropFirst()) else {
            return text
        }
        var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], text.dropFirst().dropLast())
        while let quote = rest.firstIndex(of: Byte.quote) {
            result += rest[...quote]
            rest = rest[(quote + 1)...]
            if rest.first == Byte.quote { rest = rest.dropFirst() }
        }
        return (result + rest)[...]
    }

    /// Returns the name in `[ファイル] report.pdf`; nil if the text does not name the file.
    private static func file(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.count <= 300, !text.contains(Byte.lineFeed),
            let title = ["[ファイル] ", "[File] ", "[파일] ", "[檔案] ", "[文件] "].first(where: { text.starts(with: $0) })
        else { return nil }
        let name = text.dropFirst(title.utf8.count).trimmed
        return name.isEmpty ? nil : name
    }
}

// MARK: - Recognition

extension LINEFormat {
    /// Recognises a file that begins with LINE's title, and one that LINE named or that begins with a day, if a record
    /// follows.
    package static func recognises(_ source: LogSource) -> Bool {
        guard source.name.isEmpty || source.name.lowercased().hasSuffix(".txt") else { return false }
        let lines = IRCLog.lines(of: source.beginning, first: 20).filter { !$0.isBlank }
        guard let first = lines.first else { return false }
        if title(in: lines[...]) != nil { return true }
        let isOwnName = source.name.hasPrefix("[LINE]")
        guard case .day? = LINELine(first, separator: Byte.tab) else { return false }
        return lines.contains { line in
            if case .record? = LINELine(line, separator: isOwnName ? separator(in: lines[...]) : Byte.tab) {
                true
            } else {
                false
            }
        }
    }

    /// Returns the byte between columns: a tab, unless no line has one after its time and one has a space.
    private static func separator(in lines: some Sequence<ArraySlice<UInt8>>) -> UInt8 {
        var hasSpaces = false
        for line in lines {
            if case .record? = LINELine(line, separator: Byte.tab) { return Byte.tab }
            if case .record? = LINELine(line, separator: Byte.space) { hasSpaces = true }
        }
        return hasSpaces ? Byte.space : Byte.tab
    }

    /// Returns true for the title, and for the time of the export: `保存日時：2026/08/21 11:59`, `Saved on: …`.
    private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: "[LINE]")
            || ["保存日時", "Saved on", "저장한 날짜", "저장 일시", "儲存日期", "保存日期", "บันทึกวันที่", "บันทึกเมื่อ"].contains {
                line.starts(with: $0)
            }
    }

    /// Returns the room in the title or, without one, in the file's name.
    private static func room(of source: LogSource) -> String? {
        let lines = IRCLog.lines(of: source.beginning, first: 5).filter { !$0.isBlank }
        if let title = title(in: lines[...]) { return room(inTitle: title) }
        let name = source.name.composed
        guard name.hasPrefix(app), name.lowercased().hasSuffix(".txt") else { return nil }
        return room(inTitle: String(name.dropLast(4).dropFirst(app.count)))
    }

    private static let app = "[LINE]"

    /// Returns the title at the beginning of a file, without the app's name. Some exports leave that out; then the time
    /// of the export must follow.
    private static func title(in lines: ArraySlice<ArraySlice<UInt8>>) -> String? {
        guard let first = lines.first else { return nil }
        let title = String(decoding: first, as: UTF8.self)
        if title.hasPrefix(app) { return String(title.dropFirst(app.count)) }
        return lines.dropFirst().first.map(isHeader) == true && words(around: title) != nil ? title : nil
    }

    /// The words before and after the room in a title.
    private static let titles = [
        ("", "とのトーク履歴"), ("", "のトーク履歴"), ("", "とのトーク"), ("Chat history with ", ""), ("Chat history in ", ""),
        ("Chat with ", ""),
        ("ประวัติการแชทในกลุ่ม ", ""), ("ประวัติการแชทกับ ", ""),
        ("", "님과의 대화"), ("", "와의 대화"), ("", "과의 대화"), ("與", "的聊天記錄"), ("与", "的聊天记录"), ("", "的聊天記錄"), ("", "的聊天记录"),
    ]

    private static func words(around title: String) -> (before: String, after: String)? {
        titles.first { title.hasPrefix($0.0) && title.hasSuffix($0.1) && title.count > $0.0.count + $0.1.count }
    }

    private static func room(inTitle title: String) -> String? {
        let text = title.trimmed
        var name = words(around: text).map { String(text.dropFirst($0.before.count).dropLast($0.after.count)) } ?? text
        if name.count > 2, name.hasPrefix("\""), name.hasSuffix("\"") { name = String(name.dropFirst().dropLast()) }
        return name.isEmpty ? nil : name
    }
}
