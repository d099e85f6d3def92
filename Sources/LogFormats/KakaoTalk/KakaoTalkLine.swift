import Bytes

/// The shape of the lines in a text that KakaoTalk exported. A file has one shape.
enum KakaoTalkShape {
    /// Windows: `[민수] [오전 9:00] text` after `--------------- 2026년 8월 29일 토요일 ---------------`.
    case bracketed
    /// Android and iOS: `2016년 2월 5일 오전 1:33, 민수 : text`, `2026. 8. 7. 오후 1:01, 민수 : text`,
    /// `Dec 31, 2014 at 19:12, 민수 : text`, `2:33AM, February 10, 2016, 민수 : text`.
    case dated
    /// iOS, formerly: `오후 8:36, 민수 : text` after `2021년 12월 29일 수요일`.
    case timed
    /// macOS: rows of CSV, `2021-12-29 20:36:00,"민수","text"`.
    case rows

    /// Finds the shape of a file by the first record in its beginning; nil if there is none.
    init?(_ beginning: [UInt8]) {
        let lines = IRCLog.lines(of: beginning).lazy.filter { !$0.isBlank }
        if lines.first.map(KakaoTalkRow.isHeader) ?? false {
            self = .rows
            return
        }
        var hasDay = false
        for line in lines {
            if KakaoTalkLine(line, shape: .bracketed) != nil {
                self = .bracketed
                return
            }
            switch KakaoTalkLine(line, shape: .dated) {
            case .record:
                self = .dated
                return
            case .day: hasDay = true
            case nil where hasDay && KakaoTalkLine(line, shape: .timed) != nil:
                self = .timed
                return
            case nil: break
            }
        }
        return nil
    }
}

/// A line of a KakaoTalk text that begins a day or a record. Every other line continues the record before it.
enum KakaoTalkLine {
    /// A line with a date alone, or with a date and a time alone.
    case day(CalendarDate)
    case record(KakaoTalkRecord)

    init?(_ line: ArraySlice<UInt8>, shape: KakaoTalkShape) {
        guard let first = line.first else { return nil }
        var scanner = ByteScanner(line)
        let found: KakaoTalkLine? =
            switch shape {
            case .bracketed where first == Byte.dash: Self.dashedDay(&scanner)
            case .bracketed where first == Byte.listStart: KakaoTalkRecord(bracketed: line).map { .record($0) }
            case .dated where Byte.isDigit(first) || Byte.isLetter(first): Self.dated(&scanner)
            case .timed: Self.timed(&scanner)
            case .bracketed, .dated, .rows: nil
            }
        guard let found else { return nil }
        self = found
    }

    /// Takes `--------------- 2026년 8월 29일 토요일 ---------------`.
    private static func dashedDay(_ scanner: inout ByteScanner) -> KakaoTalkLine? {
        guard scanner.take(atMost: 100, while: { $0 == Byte.dash }).count >= 5 else { return nil }
        scanner.takeSpaces()
        guard let date = wholeDate(&scanner) else { return nil }
        scanner.takeSpaces()
        let end = scanner.take(atMost: 100) { $0 == Byte.dash }
        return end.count >= 5 && scanner.rest.isBlank ? .day(date) : nil
    }

    private static func timed(_ scanner: inout ByteScanner) -> KakaoTalkLine? {
        if let date = wholeDate(&scanner) { return scanner.rest.isBlank ? .day(date) : nil }
        guard let time = DialTime(taking: &scanner) else { return nil }
        return KakaoTalkRecord(after: &scanner, date: nil, time: time).map { .record($0) }
    }

    private static func dated(_ scanner: inout ByteScanner) -> KakaoTalkLine? {
        if let date = scanner.yearFirstDate() ?? scanner.namedMonthDate() {
            _ = scanner.take(Byte.comma) || scanner.take(" at")
            scanner.takeSpaces()
            guard let time = DialTime(taking: &scanner) else {
                return scanner.takeWeekday() && scanner.rest.isBlank ? .day(date) : nil
            }
            return dated(date, time, &scanner)
        }
        if let date = wholeDate(&scanner) { return scanner.rest.isBlank ? .day(date) : nil }
        guard let time = DialTime(taking: &scanner), scanner.take(", "), let date = scanner.namedMonthDate() else {
            return nil
        }
        return dated(date, time, &scanner)
    }

    private static func dated(_ date: CalendarDate, _ time: DialTime, _ scanner: inout ByteScanner) -> KakaoTalkLine? {
        if scanner.rest.isBlank { return .day(date) }
        return KakaoTalkRecord(after: &scanner, date: date, time: time).map { .record($0) }
    }

    /// Takes a date with its day of the week: `2026년 8월 7일 금요일`, `2025. 10. 14. 월요일` or
    /// `Wednesday, December 31, 2014`.
    private static func wholeDate(_ scanner: inout ByteScanner) -> CalendarDate? {
        var copy = scanner
        var date = copy.yearFirstDate()
        if date == nil {
            guard copy.weekdayName() != nil else { return nil }
            _ = copy.take(Byte.comma)
            copy.takeSpaces()
            date = copy.namedMonthDate()
        } else {
            copy.takeSpaces()
            guard copy.takeWeekday() else { return nil }
        }
        if date != nil { scanner = copy }
        return date
    }
}

extension ByteScanner {
    /// Takes a Korean day of the week, such as `금요일`, and returns true if there is one.
    fileprivate mutating func takeWeekday() -> Bool {
        // One syllable of three bytes before it.
        guard rest.dropFirst(3).starts(with: "요일") else { return false }
        return take(atMost: 9) { $0 >= 0x80 }.count == 9
    }
}

/// A record of a KakaoTalk text: a message, or a notice of the app.
struct KakaoTalkRecord {
    /// The date; nil if an earlier line gives it.
    let date: CalendarDate?
    let time: DialTime
    /// The sender's name; nil for a notice.
    let sender: ArraySlice<UInt8>?
    /// The first line of the text.
    let text: ArraySlice<UInt8>

    /// The limit of a name in bytes. A profile's name has at most 20 characters; a name in the phone's address book may
    /// be longer.
    static let longestName = 256

    /// Reads `[민수] [오전 9:00] text`. The name may contain brackets.
    init?(bracketed line: ArraySlice<UInt8>) {
        var rest = line.dropFirst().prefix(Self.longestName + 3)
        while let end = rest.range(of: "] [") {
            var scanner = ByteScanner(line[end.upperBound...])
            if let time = DialTime(taking: &scanner), scanner.take(Byte.listEnd),
                scanner.take(Byte.space) || scanner.rest.isEmpty
            {
                let name = line[(line.startIndex + 1)..<end.lowerBound].trimmed
                (date, self.time, sender, text) = (nil, time, name.isEmpty ? nil : name, scanner.rest)
                return
            }
            rest = rest[(end.lowerBound + 1)...]
        }
        return nil
    }

    /// Reads `, 민수 : text`, or the notices `, text` and `: text`. The name ends at the first ` : `.
    init?(after scanner: inout ByteScanner, date: CalendarDate?, time: DialTime) {
        (self.date, self.time) = (date, time)
        if scanner.take(Byte.colon) {
            guard scanner.take(Byte.space) || scanner.rest.isEmpty else { return nil }
            (sender, text) = (nil, scanner.rest)
            return
        }
        guard scanner.take(Byte.comma), scanner.take(Byte.space) || scanner.rest.isEmpty else { return nil }
        let (name, text) = Self.parted(scanner.rest)
        (sender, self.text) = (name, text)
    }

    private static func parted(_ rest: ArraySlice<UInt8>) -> (sender: ArraySlice<UInt8>?, text: ArraySlice<UInt8>) {
        // Some programs remove the spaces at the ends of lines, so an empty text may have no space after its colon.
        let end =
            rest.prefix(longestName + 3).range(of: " : ")
            ?? (rest.count <= longestName + 2 && rest.suffix(2).elementsEqual(" :".utf8)
                ? rest.endIndex - 2..<rest.endIndex : nil)
        guard let end else { return (nil, rest) }
        let name = rest[..<end.lowerBound].trimmed
        return (name.isEmpty ? nil : name, rest[end.upperBound...])
    }
}
