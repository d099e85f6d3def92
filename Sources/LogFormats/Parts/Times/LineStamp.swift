import Bytes
import ChatModel

/// The time at the beginning of a log's line: `[03:41]`, `03:41:59`, `2026-11-21 03:41:59`,
/// `2026-11-21T03:41:59.123456Z`.
struct LineStamp: Sendable, Hashable {
    /// The brackets around a time.
    enum Brackets: Sendable {
        case required, optional, none
    }

    var date: CalendarDate?
    /// The seconds since midnight; 86,400 in a leap second.
    var seconds: Int
    /// The microseconds of the second.
    var microseconds: Int64 = 0
    var resolution: TimeResolution
    /// The zone in seconds east of UTC; nil if the line has none.
    var offset: Int?

    /// Takes the time, and one space or tab after it, from the beginning of a line. Nil if the line does not begin with
    /// a time; the line is unchanged in that case.
    init?(taking line: inout ArraySlice<UInt8>, brackets: Brackets) {
        var scanner = ByteScanner(line)
        let isBracketed = brackets != .none && scanner.take("[")
        guard isBracketed || brackets != .required else { return nil }
        let date = scanner.date()
        if date != nil, !scanner.take(" "), !scanner.take("T") { return nil }
        guard let clock = scanner.clockOfDay() else { return nil }
        self.init(
            date: date, seconds: clock.seconds, microseconds: clock.microseconds ?? 0,
            resolution: clock.second == nil ? .minute : clock.microseconds == nil ? .second : .microsecond)
        if date != nil { offset = Self.offset(&scanner) }
        guard isBracketed ? scanner.take("]") : scanner.isAtBlank else { return nil }
        if !scanner.take(" ") { _ = scanner.take("\t") }
        line = scanner.rest
    }

    /// Returns false for a line whose time can't have a date, with or without brackets.
    static func mayHaveDate(_ line: ArraySlice<UInt8>) -> Bool { line.prefix(6).contains(Byte.dash) }

    /// Takes the zone at the end of a stamp: `Z`, `+09:00` or ` -0330`.
    private static func offset(_ scanner: inout ByteScanner) -> Int? {
        var copy = scanner
        if copy.take(Byte.space), copy.rest.first == UInt8(ascii: "Z") { return nil }
        // Accepts less than 19 hours, as ISO 8601 readers do. No zone has more than 14.
        guard let offset = copy.offset(), abs(offset) < 19 * 3600,
            copy.isAtBlank || copy.rest.first == Byte.listEnd
        else { return nil }
        scanner = copy
        return offset
    }

    init(date: CalendarDate? = nil, seconds: Int, microseconds: Int64 = 0, resolution: TimeResolution) {
        (self.date, self.seconds, self.microseconds, self.resolution) = (date, seconds, microseconds, resolution)
    }
}

extension LineStamp {
    /// Takes a time whose date counts for nothing, because other lines give the day: `21.11.2026 06:23`, `[11/21/26
    /// 06:23]`, `Nov 21 06:23:11`, `(06:23)`. Takes one space or tab after it. Nil if the line does not begin with such
    /// a time; the line is unchanged in that case.
    init?(takingClockOf line: inout ArraySlice<UInt8>) {
        var scanner = ByteScanner(line)
        let close = scanner.take("[") ? "]" : scanner.take("(") ? ")" : nil
        // Sat, 21 Nov 2026 06:23:11
        for _ in 0..<5 {
            var copy = scanner
            if let clock = copy.clockOfDay() {
                guard close.map({ copy.take($0) }) ?? copy.isAtBlank else { return nil }
                if !copy.take(" ") { _ = copy.take("\t") }
                self.init(seconds: clock.seconds, resolution: clock.second == nil ? .minute : .second)
                line = copy.rest
                return
            }
            guard Self.isDatePart(scanner.take(atMost: 20) { $0 != Byte.space }), scanner.take(Byte.space) else {
                return nil
            }
        }
        return nil
    }

    /// Returns true for `21.11.2026`, `11/21/26`, `21`, `Nov`, `Sat,` and the like.
    private static func isDatePart(_ word: ArraySlice<UInt8>) -> Bool {
        guard let first = word.first else { return false }
        if Byte.isDigit(first) { return word.allSatisfy { Byte.isDigit($0) || "./-,".utf8.contains($0) } }
        let name = word.last == Byte.comma ? word.dropLast() : word
        return MonthName.number(name) != nil || (name.count == 3 && name.allSatisfy(Byte.isLetter))
    }
}

extension ByteScanner {
    /// Takes a time of day, with its half if it has one: `18:23`, `06:23PM`, `06:23:11 pm`.
    mutating func clockOfDay() -> ClockTime? {
        guard var clock = clock() else { return nil }
        var copy = self
        _ = copy.take(Byte.space)
        guard (1...12).contains(clock.hour), let half = copy.rest.first.map({ $0 | 0x20 }),
            half == UInt8(ascii: "a") || half == UInt8(ascii: "p")
        else { return clock }
        _ = copy.take(atMost: 1) { _ in true }
        guard copy.take(UInt8(ascii: "M")) || copy.take(UInt8(ascii: "m")), copy.isAtBlank || copy.isAtClose else {
            return clock
        }
        clock.hour = clock.hour % 12 + (half == UInt8(ascii: "p") ? 12 : 0)
        self = copy
        return clock
    }

    private var isAtClose: Bool { rest.first == Byte.listEnd || rest.first == UInt8(ascii: ")") }

    fileprivate var isAtBlank: Bool { rest.first.map { $0 == Byte.space || $0 == UInt8(ascii: "\t") } ?? true }
}
