import Bytes
import ChatModel

/// The words, numbers and marks of a written time, and their meaning.
struct FreeTimeWords {
    private struct Token {
        enum Kind: Equatable {
            case number(Int, digits: Int)
            case word(String)
            case mark(Unicode.Scalar)
        }
        var kind: Kind
        /// True if no space is between this token and the one before.
        var isJoined: Bool
    }

    private var tokens: ArraySlice<Token> = []
    private var numbers: [(value: Int, digits: Int)] = []
    private var month: Int?
    private var half = DayHalf.none
    private var shown: ClockTime?
    private(set) var offset: Int?

    /// The longest text, in bytes: a weekday, a month and a zone are about 60.
    private static let longest = 100

    init?(_ text: ArraySlice<UInt8>) {
        guard text.count <= Self.longest, let tokens = Self.tokens(String(decoding: text, as: UTF8.self)) else {
            return nil
        }
        self.tokens = tokens[...]
        while let token = self.tokens.first {
            guard take(token) else { return nil }
        }
    }

    /// The time of day; nil if there is none.
    var clock: ClockTime? {
        guard var clock = shown, let hour = half.hour(clock.hour) else { return nil }
        clock.hour = hour
        return clock
    }

    /// The date; nil if there is none.
    var day: FreeTime.Day? {
        func year(_ number: (value: Int, digits: Int)) -> Int? {
            // As in POSIX, 69 to 99 are in the 20th century.
            number.digits == 4
                ? number.value : number.digits == 2 ? number.value + (number.value < 69 ? 2000 : 1900) : nil
        }
        if let month {
            guard numbers.count == 2 else { return nil }
            let isYearFirst = numbers[0].digits == 4
            return year(numbers[isYearFirst ? 0 : 1]).map {
                .known(CalendarDate(year: $0, month: month, day: numbers[isYearFirst ? 1 : 0].value))
            }
        }
        if numbers.count == 1, numbers[0].digits == 8 {
            let digits = numbers[0].value
            return .known(CalendarDate(year: digits / 10_000, month: digits / 100 % 100, day: digits % 100))
        }
        guard numbers.count == 3 else { return nil }
        if numbers[0].digits == 4 {
            return .known(CalendarDate(year: numbers[0].value, month: numbers[1].value, day: numbers[2].value))
        }
        return year(numbers[2]).map { .open(numbers[0].value, numbers[1].value, year: $0) }
    }

    // MARK: - Tokens

    /// Returns nil for a text with a character that no time contains.
    private static func tokens(_ text: String) -> [Token]? {
        var tokens: [Token] = []
        var rest = text.unicodeScalars[...]
        var isJoined = false
        while let first = rest.first {
            var end = rest.index(after: rest.startIndex)
            if WhatsAppHeader.isSpace(first) || WhatsAppHeader.isMark(first) || first == "\t" {
                isJoined = isJoined && WhatsAppHeader.isMark(first)
                rest = rest[end...]
                continue
            }
            let kind: Token.Kind
            if let digit = digit(first) {
                var (value, digits) = (digit, 1)
                while end < rest.endIndex, digits < 10, let next = Self.digit(rest[end]) {
                    (value, digits, end) = (value * 10 + next, digits + 1, rest.index(after: end))
                }
                kind = .number(value, digits: digits)
            } else if first.properties.isAlphabetic {
                while end < rest.endIndex, rest[end].properties.isAlphabetic { end = rest.index(after: end) }
                kind = .word(String(rest[..<end]).lowercased())
            } else if ",:/-.()[]+−–،".unicodeScalars.contains(first) {
                kind = .mark(first)
            } else {
                return nil
            }
            tokens.append(Token(kind: kind, isJoined: isJoined))
            (rest, isJoined) = (rest[end...], true)
        }
        return tokens
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value) - 0x30 : nil
    }

    /// Takes a token, and the tokens that belong to it. Returns false if it has no meaning there.
    private mutating func take(_ token: Token) -> Bool {
        switch token.kind {
        case .number(let value, let digits):
            if shown == nil, tokens.dropFirst().first?.kind == .mark(":") { return takeClock() }
            tokens.removeFirst()
            numbers.append((value, digits))
            return numbers.count <= 3
        case .word(let word):
            tokens.removeFirst()
            return take(word, isJoined: token.isJoined)
        case .mark(let mark):
            tokens.removeFirst()
            if ["+", "-", "−"].contains(mark), shown != nil, takeOffset(isWest: mark != "+") { return true }
            return mark != ":" && mark != "+"
        }
    }

    /// Takes `6:23`, `06:23:11` or `06:23:11,123`.
    private mutating func takeClock() -> Bool {
        guard let hour = number(digits: 1...2), takeMark([":"]), let minute = number(digits: 2...2) else {
            return false
        }
        var clock = ClockTime(hour: hour, minute: minute)
        if takeMark([":"]) {
            guard let second = number(digits: 2...2) else { return false }
            clock.second = second
            if let point = tokens.first, point.isJoined, [.mark("."), .mark(",")].contains(point.kind),
                let next = tokens.dropFirst().first, next.isJoined, case .number(let value, let digits) = next.kind
            {
                tokens = tokens.dropFirst(2)
                var fraction = Int64(value)
                for _ in 0..<max(0, 6 - digits) { fraction *= 10 }
                for _ in 0..<max(0, digits - 6) { fraction /= 10 }
                clock.microseconds = fraction
            }
        }
        shown = clock
        return minute < 60 && (clock.second ?? 0) <= 60
    }

    /// Takes the rest of a zone after its sign: `09:00`, `0900`, or `09` at the end.
    private mutating func takeOffset(isWest: Bool) -> Bool {
        let before = tokens
        guard let first = tokens.first, case .number(let value, let digits) = first.kind else { return false }
        tokens.removeFirst()
        var seconds: Int?
        if digits == 4 {
            seconds = value / 100 * 3600 + value % 100 * 60
        } else if digits <= 2, tokens.isEmpty || tokens.first?.kind == .mark(")") {
            seconds = value * 3600
        } else if digits <= 2, takeMark([":"]), let minute = number(digits: 2...2) {
            seconds = value * 3600 + minute * 60
        }
        // No zone is further from UTC.
        guard let seconds, seconds <= 14 * 3600 else {
            tokens = before
            return false
        }
        offset = isWest ? -seconds : seconds
        return true
    }

    private mutating func number(digits range: ClosedRange<Int>) -> Int? {
        guard case .number(let value, let digits)? = tokens.first?.kind, range.contains(digits) else { return nil }
        tokens.removeFirst()
        return value
    }

    private mutating func takeMark(_ marks: [Unicode.Scalar]) -> Bool {
        guard case .mark(let mark)? = tokens.first?.kind, marks.contains(mark) else { return false }
        tokens.removeFirst()
        return true
    }

    // MARK: - Words

    private static let weekdays: Set<String> = [
        "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun", "monday", "tuesday", "wednesday",
        "thursday", "friday", "saturday", "sunday", "mo", "di", "mi", "do", "fr", "sa", "so", "월", "화", "수", "목", "금",
        "토", "일", "月", "火", "水", "木", "金", "土", "日",
    ]
    /// Words without a meaning of their own between numbers.
    private static let fillers: Set<String> = ["at", "um", "kl", "klo", "년", "年"]

    private mutating func take(_ word: String, isJoined: Bool) -> Bool {
        switch word {
        case "t" where isJoined && !numbers.isEmpty && shown == nil: return takeCompactClock()
        case "z", "utc", "gmt":
            guard shown != nil, offset == nil else { return false }
            offset = 0
            return true
        case "am", "오전", "午前", "上午": return take(.morning)
        case "pm", "오후", "午後", "下午": return take(.afternoon)
        case "a", "p":
            // `a.m.`
            guard takeMark(["."]), tokens.first?.kind == .word("m") else { return false }
            tokens.removeFirst()
            return take(word == "a" ? .morning : .afternoon)
        case "st", "nd", "rd", "th": return isJoined && !numbers.isEmpty
        case _
        where Self.fillers.contains(word) || Self.weekdays.contains(word) || word.hasSuffix("요일")
            || word.hasSuffix("曜日") || word.hasPrefix("星期"):
            return true
        default:
            guard month == nil, let found = MonthName.number(word) else { return false }
            month = found
            return true
        }
    }

    private mutating func take(_ half: DayHalf) -> Bool {
        guard self.half == .none else { return false }
        self.half = half
        return true
    }

    /// Takes the time of `20261121T062311`, in two or three pairs of digits, or an ordinary time.
    private mutating func takeCompactClock() -> Bool {
        guard case .number(let value, let digits)? = tokens.first?.kind, digits == 4 || digits == 6 else { return true }
        tokens.removeFirst()
        let (minutes, second) = digits == 6 ? (value / 100, value % 100) : (value, nil)
        shown = ClockTime(hour: minutes / 100, minute: minutes % 100, second: second)
        return true
    }
}
