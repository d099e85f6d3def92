import Bytes
import ChatModel

/// A form of written times, in the conversions of `strptime`: `%d.%m.%Y %H:%M`.
package struct TimePattern: Sendable, Hashable {
    private enum Element: Sendable, Hashable {
        case text([UInt8])
        /// Any number of spaces, including none.
        case spaces
        case conversion(Character)
    }

    private var elements: [Element] = []

    /// The conversions that stand for several others.
    private static let shorthands: [Character: String] = [
        "F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M", "D": "%m/%d/%y",
    ]
    private static let conversions = "YymdeHIklMSfpPzZsbBhaA"

    /// - Throws: ``TimePatternError`` for an unknown conversion, and for a form without a whole date and time of day.
    package init(_ text: String) throws(TimePatternError) {
        try add(text)
        guard !has("s") else { return }
        for (names, part, example) in [
            ("Yy", "year", "%Y"), ("mbBh", "month", "%m or %b"), ("de", "day", "%d"), ("HkIl", "hour", "%H"),
            ("M", "minute", "%M"),
        ] where !names.contains(where: has) {
            throw TimePatternError("it has no \(part) (\(example))")
        }
        if has("I") || has("l"), !has("p"), !has("P") {
            throw TimePatternError("a clock of 12 hours (%I) needs AM or PM (%p)")
        }
    }

    private func has(_ conversion: Character) -> Bool { elements.contains(.conversion(conversion)) }

    private mutating func add(_ text: String) throws(TimePatternError) {
        var rest = text[...]
        while let first = rest.popFirst() {
            if first.isWhitespace {
                if elements.last != .spaces { elements.append(.spaces) }
            } else if first != "%" {
                add(literal: first)
            } else {
                guard let name = rest.popFirst() else { throw TimePatternError("it ends with %") }
                if name == "%" {
                    add(literal: name)
                } else if let shorthand = Self.shorthands[name] {
                    try add(shorthand)
                } else if Self.conversions.contains(name) {
                    elements.append(.conversion(name))
                } else {
                    throw TimePatternError("%\(name) is unknown")
                }
            }
        }
    }

    private mutating func add(literal character: Character) {
        if case .text(let bytes)? = elements.last {
            elements[elements.count - 1] = .text(bytes + character.utf8)
        } else {
            elements.append(.text(Array(character.utf8)))
        }
    }

    /// Reads a whole text; nil for anything else.
    func match(_ text: ArraySlice<UInt8>) -> ColumnTime? {
        var reading = TimePatternReading(rest: text.trimmed)
        for element in elements {
            switch element {
            case .text(let bytes):
                guard reading.rest.starts(with: bytes) else { return nil }
                reading.rest = reading.rest.dropFirst(bytes.count)
            case .spaces: reading.skipSpaces()
            case .conversion(let name):
                guard reading.take(name) else { return nil }
            }
        }
        return reading.rest.isEmpty ? reading.time : nil
    }
}

/// A mistake in a form of times.
package struct TimePatternError: Error, Hashable {
    /// The mistake, for people.
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// The values that the conversions of a form have read.
private struct TimePatternReading {
    var rest: ArraySlice<UInt8>
    private var date = CalendarDate(year: 0, month: 1, day: 1)
    private var clock = ClockTime(hour: 0, minute: 0)
    private var half = DayHalf.none
    private var offset: Int?
    private var instant: ColumnTime?

    init(rest: ArraySlice<UInt8>) {
        self.rest = rest
    }

    var time: ColumnTime? {
        if let instant { return instant }
        var clock = clock
        guard let hour = half.hour(clock.hour) else { return nil }
        clock.hour = hour
        return ColumnTime(date, clock, offset: offset)
    }

    /// Skips spaces of ASCII and the narrow and wide ones (U+00A0, U+202F) that programs put before AM and PM.
    mutating func skipSpaces() {
        while true {
            if let first = rest.first, first == Byte.space || first == UInt8(ascii: "\t") {
                rest = rest.dropFirst()
            } else if let space = ["\u{A0}", "\u{202F}"].first(where: { rest.starts(with: $0) }) {
                rest = rest.dropFirst(space.utf8.count)
            } else {
                return
            }
        }
    }

    /// Takes the value of a conversion. Returns false if the text has none.
    mutating func take(_ conversion: Character) -> Bool {
        switch conversion {
        case "Y": return take(\.year, upTo: 4)
        case "y":
            guard let year = number(upTo: 2) else { return false }
            // As in POSIX, 69 to 99 are in the 20th century.
            date.year = year + (year < 69 ? 2000 : 1900)
            return true
        case "m": return take(\.month, upTo: 2)
        case "d", "e": return take(\.day, upTo: 2)
        case "b", "B", "h":
            guard let month = MonthName.number(word()) else { return false }
            date.month = month
            return true
        case "a", "A": return !word().isEmpty
        case "p", "P": return takeHalf()
        case "z", "Z": return takeZone()
        case "s": return takeInstant()
        default: return takeClock(conversion)
        }
    }

    private mutating func takeClock(_ conversion: Character) -> Bool {
        if conversion == "f" {
            let digits = rest.prefix(9).prefix(while: Byte.isDigit)
            rest = rest[digits.endIndex...]
            clock.microseconds = digits.prefix(6).reduce(0) { $0 * 10 + Int64($1 - Byte.zero) }
            for _ in 0..<max(0, 6 - digits.count) { clock.microseconds? *= 10 }
            return !digits.isEmpty
        }
        guard let number = number(upTo: 2) else { return false }
        switch conversion {
        case "M": clock.minute = number
        case "S": clock.second = number
        default: clock.hour = number
        }
        return true
    }

    private mutating func take(_ part: WritableKeyPath<CalendarDate, Int>, upTo digits: Int) -> Bool {
        guard let number = number(upTo: digits) else { return false }
        date[keyPath: part] = number
        return true
    }

    /// Takes some digits, also after a space as `%e` and `%k` write it.
    private mutating func number(upTo count: Int) -> Int? {
        skipSpaces()
        let digits = rest.prefix(count).prefix(while: Byte.isDigit)
        rest = rest[digits.endIndex...]
        return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - Byte.zero) }
    }

    /// Takes letters and dots, such as `Nov`, `11월` and `nov.`.
    private mutating func word() -> ArraySlice<UInt8> {
        let digits = rest.prefix(2).prefix(while: Byte.isDigit)
        let word = rest.prefix(40).dropFirst(digits.count).prefix { byte in
            byte >= 0x80 || byte == Byte.dot || (0x41...0x5A).contains(byte & 0xDF)
        }
        defer { rest = rest[word.endIndex...] }
        return rest[..<word.endIndex]
    }

    private mutating func takeHalf() -> Bool {
        guard let half = DayHalf(String(decoding: word(), as: UTF8.self)), half != .none else { return false }
        self.half = half
        return true
    }

    private mutating func takeZone() -> Bool {
        for name in ["UTC", "GMT"] where rest.starts(with: name) {
            rest = rest.dropFirst(3)
            offset = 0
            return true
        }
        var scanner = ByteScanner(rest)
        guard let offset = scanner.offset(hoursAlone: true) else { return false }
        (self.offset, rest) = (offset, scanner.rest)
        return true
    }

    private mutating func takeInstant() -> Bool {
        let digits = rest.prefix { Byte.isDigit($0) || $0 == Byte.dot }
        instant = ColumnTime(digits: digits)
        rest = rest[digits.endIndex...]
        return instant != nil
    }
}
