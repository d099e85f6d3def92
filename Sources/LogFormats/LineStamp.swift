import ChatModel

/// The time that a line of a log begins with: `[03:41]`, `03:41:59`, `2026-11-21 03:41:59`, `2026-11-21T03:41:59.123456Z`.
struct LineStamp: Sendable, Hashable {
    /// Whether a time stands in square brackets.
    enum Brackets: Sendable {
        case required, optional, none
    }

    var date: CalendarDate?
    /// Since midnight; 86,400 in a leap second.
    var seconds: Int
    /// Of the second.
    var microseconds: Int64 = 0
    var resolution: TimeResolution
    /// The zone's, in seconds east of UTC, where the line tells it.
    var offset: Int?

    /// Takes it and one space or tab after it from the beginning of a line; nil, and nothing taken, where there is none.
    init?(taking line: inout ArraySlice<UInt8>, brackets: Brackets) {
        var scanner = ByteScanner(line)
        let isBracketed = brackets != .none && scanner.take("[")
        guard isBracketed || brackets != .required else { return nil }
        let date = scanner.date()
        if date != nil, !scanner.take(" "), !scanner.take("T") { return nil }
        guard let time = scanner.timeOfDay() else { return nil }
        self = time
        self.date = date
        if date != nil { offset = scanner.offset() }
        guard isBracketed ? scanner.take("]") : scanner.isAtBlank else { return nil }
        if !scanner.take(" ") { _ = scanner.take("\t") }
        line = scanner.rest
    }

    init(date: CalendarDate? = nil, seconds: Int, microseconds: Int64 = 0, resolution: TimeResolution) {
        (self.date, self.seconds, self.microseconds, self.resolution) = (date, seconds, microseconds, resolution)
    }
}

/// As a log writes it; it may be in no calendar.
struct CalendarDate: Sendable, Hashable {
    var year: Int
    var month: Int
    var day: Int
}

/// Takes what it expects from the beginning of some bytes, else nothing.
struct ByteScanner {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtBlank: Bool { rest.first.map { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ?? true }

    mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Just so many digits.
    mutating func number(of digits: Int) -> Int? {
        let bytes = rest.prefix(digits)
        guard bytes.count == digits, bytes.allSatisfy(Self.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// `2026-11-21`
    mutating func date() -> CalendarDate? {
        var copy = self
        guard let year = copy.number(of: 4), copy.take("-"), let month = copy.number(of: 2), copy.take("-"),
            let day = copy.number(of: 2)
        else { return nil }
        self = copy
        return CalendarDate(year: year, month: month, day: day)
    }

    /// `03:41`, with seconds, and those with up to nine digits after a point.
    mutating func timeOfDay() -> LineStamp? {
        var copy = self
        guard let hour = copy.number(of: 2), copy.take(":"), let minute = copy.number(of: 2), hour < 24, minute < 60
        else { return nil }
        var stamp = LineStamp(seconds: hour * 3600 + minute * 60, resolution: .minute)
        if copy.take(":") {
            guard let second = copy.number(of: 2), second <= 60 else { return nil }
            stamp.seconds += second
            stamp.resolution = .second
            if copy.take(".") {
                guard let microseconds = copy.fraction() else { return nil }
                (stamp.microseconds, stamp.resolution) = (microseconds, .microsecond)
            }
        }
        self = copy
        return stamp
    }

    private mutating func fraction() -> Int64? {
        let digits = rest.prefix { Self.isDigit($0) }
        guard (1...9).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        let padded = Array(digits.prefix(6)) + Array(repeating: 0x30, count: max(0, 6 - digits.count))
        return padded.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// `Z`, `+09:00`, ` -0330`.
    mutating func offset() -> Int? {
        var copy = self
        if copy.take("Z") {
            self = copy
            return 0
        }
        _ = copy.take(" ")
        let sign = copy.take("+") ? 1 : copy.take("-") ? -1 : 0
        guard sign != 0, let hours = copy.number(of: 2) else { return nil }
        _ = copy.take(":")
        // 18 hours, as ISO 8601 readers allow; no zone has more than 14.
        guard let minutes = copy.number(of: 2), hours <= 18, minutes < 60, copy.isAtBlank || copy.rest.first == 0x5D
        else { return nil }
        self = copy
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
