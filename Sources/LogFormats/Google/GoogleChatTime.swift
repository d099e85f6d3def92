import Bytes
import ChatModel

/// A time as Google Chat's download writes it, in the language of the account and in UTC:
/// `Wednesday, January 4, 2023 at 10:59:50 AM UTC`, `2026年5月29日星期五 UTC 03:00:29`, `2015. február 15., vasárnap 21:54:36 UTC`.
struct GoogleChatTime {
    let time: Timestamp

    private enum Token {
        case number(Int, digits: Int)
        case word(String)
        case colon
    }

    /// No such text is longer.
    private static let maximumLength = 200

    /// Nil for a text that has not exactly one year, month, day and time of day, or no `UTC`.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let tokens = Self.tokens(of: text)
        guard tokens.contains(where: { if case .word("utc") = $0 { true } else { false } }) else { return nil }
        var reading = Reading(tokens)
        guard reading.takeClock(), let (date, clock) = reading.dateAndClock,
            let day = LocalDay(date, zone: .gmt)
        else { return nil }
        time = day.instants(of: clock.seconds).first
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

    /// The parts of a time that have been found.
    private struct Reading {
        private var tokens: [Token]
        private var clock: ClockTime?

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
        mutating func takeClock() -> Bool {
            for start in tokens.indices {
                guard let hour = number(at: start), let (minute, second, end) = minuteAndSecond(after: start) else {
                    continue
                }
                guard let shown = half(before: start, after: end).hour(hour), minute < 60, second <= 60 else {
                    return false
                }
                clock = ClockTime(hour: shown, minute: minute, second: second)
                tokens.removeSubrange(start..<end)
                return true
            }
            return false
        }

        /// Reads `:59:50`, or `시 59분 50초` and `時59分50秒`.
        private func minuteAndSecond(after hour: Int) -> (minute: Int, second: Int, end: Int)? {
            if isColon(at: hour + 1), let minute = number(at: hour + 2) {
                guard isColon(at: hour + 3), let second = number(at: hour + 4) else { return (minute, 0, hour + 3) }
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

        /// The date of the tokens that are left, and the time of day.
        var dateAndClock: (CalendarDate, ClockTime)? {
            var (years, months, days): ([Int], [Int], [Int]) = ([], [], [])
            for (index, token) in tokens.enumerated() {
                switch token {
                case .number(let value, digits: 4): years.append(value)
                case .number(let value, digits: 1...2):
                    let isMonth = word(at: index + 1)?.first.map { "月월".contains($0) } ?? false
                    if isMonth || word(at: index - 1) == "tháng" { months.append(value) } else { days.append(value) }
                case .word(let word): if let month = GoogleChatMonths.number(word) { months.append(month) }
                default: return nil
                }
            }
            guard years.count == 1, months.count == 1, days.count == 1, let clock else { return nil }
            return (CalendarDate(year: years[0], month: months[0], day: days[0]), clock)
        }
    }
}

/// The names of months in dates of Google's downloads (CLDR 48, whole names, as they stand in dates).
enum GoogleChatMonths {
    /// Returns the number of a month for a name in small letters; nil for another word.
    static func number(_ word: String) -> Int? { numbers[word] }

    private static let numbers: [String: Int] = {
        let languages = [
            "january february march april may june july august september october november december",
            "jan feb mar apr may jun jul aug sep oct nov dec",
            "januar februar märz april mai juni juli august september oktober november dezember",
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
            "januari februari maart april mei juni juli augustus september oktober november december",
            "januari februari mars april maj juni juli augusti september oktober november december",
            "januar februar marts april maj juni juli august september oktober november december",
            "januar februar mars april mai juni juli august september oktober november desember",
            """
            tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta \
            marraskuuta joulukuuta
            """,
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
            "ledna února března dubna května června července srpna září října listopadu prosince",
            "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
            "január február március április május június július augusztus szeptember október november december",
            "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
            "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
            "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
            "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
            "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
            "januari februari maret april mei juni juli agustus september oktober november desember",
        ]
        return languages.reduce(into: [:]) { numbers, names in
            for (index, name) in names.split(separator: " ").enumerated() where numbers[String(name)] == nil {
                numbers[String(name)] = index + 1
            }
        }
    }()
}
