import Bytes

/// A date and a time of day in a sentence of some language, of which the numbers and the names of months count:
/// `Jun 02, 2024 10:20:00 am`, `9 de octubre de 2025, 8:09:15 a. m.`, `2026년 11월 21일 오후 6:23`.
struct SpelledTime {
    /// The possible dates: two if the order of day and month is open. Each is in the calendar.
    let dates: [CalendarDate]
    /// True if the month is a number like the day.
    let isNumeric: Bool
    /// The time of day, without a second if the text has none.
    let clock: ClockTime
    /// True if the text has the word `UTC`.
    let isUTC: Bool

    fileprivate enum Token {
        case number(Int, digits: Int)
        case word(String)
        case colon
    }

    /// No such text is longer.
    static let maximumLength = 200

    /// - Parameter monthNamed: Returns the number of a month, 1 to 12, for a word in small letters; nil for another word.
    /// - Returns: Nil for a text that has not exactly one year, month, day and time of day.
    init?(_ text: String, monthNamed: (String) -> Int?) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let tokens = Self.tokens(of: text)
        var reading = Reading(tokens)
        guard let clock = reading.takeClock() else { return nil }
        let date = reading.date(monthNamed)
        (dates, isNumeric) = (date.dates.filter { $0.daysSince1970 != nil }, date.isNumeric)
        guard !dates.isEmpty else { return nil }
        self.clock = clock
        isUTC = tokens.contains { if case .word("utc") = $0 { true } else { false } }
    }

    private static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        var rest = Array(text.lowercased())[...]
        while let first = rest.first {
            if let digit = first.wholeNumberValue, first.isASCII {
                let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }.prefix(6)
                tokens.append(
                    .number(digits.reduce(0) { $0 * 10 + ($1.wholeNumberValue ?? digit) }, digits: digits.count))
                rest = rest.dropFirst(digits.count)
            } else if first.isLetter {
                // A point within a word belongs to it: a.m.
                let word = rest.indices.prefix { index in
                    rest[index].isLetter
                        || rest[index] == "." && index + 1 < rest.endIndex && rest[index + 1].isLetter
                }
                tokens.append(.word(String(rest[rest.startIndex..<(word.last.map { $0 + 1 } ?? rest.startIndex)])))
                rest = rest.dropFirst(word.count)
            } else {
                if first == ":" { tokens.append(.colon) }
                rest = rest.dropFirst()
            }
        }
        return tokens
    }
}

extension SpelledTime {
    /// The tokens that have no meaning yet.
    fileprivate struct Reading {
        private var tokens: [Token]

        init(_ tokens: [Token]) {
            self.tokens = tokens
        }

        private func number(at index: Int) -> Int? {
            guard tokens.indices.contains(index), case .number(let value, let digits) = tokens[index], digits <= 2
            else {
                return nil
            }
            return value
        }

        private func word(at index: Int) -> String? {
            guard tokens.indices.contains(index), case .word(let word) = tokens[index] else { return nil }
            return word
        }

        private func isColon(at index: Int) -> Bool {
            if tokens.indices.contains(index), case .colon = tokens[index] { true } else { false }
        }

        /// Takes the time of day, with the half of the day beside it.
        mutating func takeClock() -> ClockTime? {
            for start in tokens.indices {
                guard let hour = number(at: start), let (minute, second, end) = minuteAndSecond(after: start) else {
                    continue
                }
                guard let shown = half(before: start, after: end).hour(hour), minute < 60, second ?? 0 <= 60 else {
                    return nil
                }
                tokens.removeSubrange(start..<end)
                return ClockTime(hour: shown, minute: minute, second: second)
            }
            return nil
        }

        /// Reads `:59:50` or `:59`, or `시 59분 50초` and `時59分50秒`.
        private func minuteAndSecond(after hour: Int) -> (minute: Int, second: Int?, end: Int)? {
            if isColon(at: hour + 1), let minute = number(at: hour + 2) {
                guard isColon(at: hour + 3), let second = number(at: hour + 4) else { return (minute, nil, hour + 3) }
                return (minute, second, hour + 5)
            }
            guard let mark = word(at: hour + 1), ["시", "時", "时"].contains(mark), let minute = number(at: hour + 2),
                word(at: hour + 3) != nil, let second = number(at: hour + 4), word(at: hour + 5) != nil
            else { return nil }
            return (minute, second, hour + 6)
        }

        private func half(before start: Int, after end: Int) -> DayHalf {
            // Spanish: 10:59:50 a. m.
            if let first = word(at: end), ["a", "p"].contains(first), word(at: end + 1) == "m" {
                return first == "a" ? .morning : .afternoon
            }
            let halves = [word(at: end), word(at: start - 1)].compactMap { $0.flatMap { DayHalf($0) } }
            return halves.first { $0 != .none } ?? .none
        }

        /// Returns the dates that the tokens may mean; none if they are no date.
        func date(_ monthNamed: (String) -> Int?) -> (dates: [CalendarDate], isNumeric: Bool) {
            var (years, months, days): ([Int], [Int], [Int]) = ([], [], [])
            var isYearFirst = false
            for (index, token) in tokens.enumerated() {
                switch token {
                case .number(let value, digits: 4):
                    isYearFirst = days.isEmpty && months.isEmpty
                    years.append(value)
                case .number(let value, digits: 1...2):
                    let isMonth = word(at: index + 1)?.first.map { "月월".contains($0) } ?? false
                    if isMonth || word(at: index - 1) == "tháng" { months.append(value) } else { days.append(value) }
                case .word(let word): if let month = monthNamed(word) { months.append(month) }
                default: return ([], false)
                }
            }
            guard years.count == 1 else { return ([], false) }
            if months.count == 1, days.count == 1 {
                return ([CalendarDate(year: years[0], month: months[0], day: days[0])], false)
            }
            guard months.isEmpty, days.count == 2 else { return ([], false) }
            let monthFirst = CalendarDate(year: years[0], month: days[0], day: days[1])
            let dayFirst = CalendarDate(year: years[0], month: days[1], day: days[0])
            return (isYearFirst || monthFirst == dayFirst ? [monthFirst] : [monthFirst, dayFirst], true)
        }
    }
}
