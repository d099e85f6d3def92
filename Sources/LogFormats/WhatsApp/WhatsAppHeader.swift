import ChatModel

/// The beginning of a WhatsApp message: `[21/11/2026, 06:23:11] `, `11/21/26, 6:23 AM - `, `2026. 11. 21. 오전 6:23 - `,
/// `[06:23:11, 21/11/26] `, `06:23, 21 Nov 2014 - `.
struct WhatsAppHeader {
    /// The numbers of a date, in the order of the line.
    struct Numbers: Hashable {
        struct Number: Hashable {
            var value: Int
            var digits: Int
        }

        /// The clock of the time after the date.
        enum Clock: Hashable {
            case hours24
            /// AM, PM, 오전 or 오후 stands before the time, as in Korea.
            case halfBefore
            /// AM or PM, in capitals and without points, stands after the time, as in the United States.
            case upperHalfAfter
            case otherHalf
        }

        var first: Number
        var second: Number
        var third: Number
        var separator: Unicode.Scalar
        /// True if a point follows the third number.
        var endsWithPoint: Bool
        var clock = Clock.hours24

        /// True if the first number is the year for certain, by its four digits or the word after it.
        var isYearFirst: Bool { first.digits == 4 || separator == "년" || separator == "年" }
    }

    let date: Numbers
    /// The time since midnight.
    let seconds: Int
    let resolution: TimeResolution
    /// The rest of the line.
    let text: ArraySlice<UInt8>
    /// True if ` : ` separates the name from the text.
    let isSpaced: Bool

    /// The longest header with all its words and marks, in bytes.
    private static let longest = 160

    init?(_ line: ArraySlice<UInt8>) {
        guard Self.canBegin(line) else { return nil }
        let beginning = String(decoding: line.prefix(Self.longest), as: UTF8.self)
        var scanner = WhatsAppScanner(beginning.unicodeScalars[...])
        let isBracketed = scanner.take("[")
        guard let stamp = scanner.stamp(), let half = Self.half(stamp.before, stamp.after) else { return nil }
        let time = stamp.time
        guard let hour = half.hour(time[0], most: 24), time[1] < 60, time.count < 3 || time[2] <= 60 else { return nil }
        guard let end = scanner.end(isBracketed: isBracketed) else { return nil }
        var numbers = stamp.date
        if half != .none { numbers.clock = Self.clock(stamp.before, stamp.after) }
        date = numbers
        seconds = hour * 3600 + time[1] * 60 + (time.count > 2 ? time[2] : 0)
        resolution = time.count > 2 ? .second : .minute
        isSpaced = end == ","
        let used = beginning.unicodeScalars[..<scanner.rest.startIndex].reduce(0) { $0 + $1.utf8.count }
        // Invalid UTF-8 does not match, but a header has none.
        guard beginning.utf8.prefix(used).elementsEqual(line.prefix(used)) else { return nil }
        text = line.dropFirst(used)
    }

    /// Returns the half of the day; nil for unknown words.
    private static func half(_ before: String, _ after: String) -> DayHalf? {
        switch (DayHalf(before), DayHalf(after)) {
        case (.some(let half), .some(DayHalf.none)), (.some(DayHalf.none), .some(let half)): half
        default: nil
        }
    }

    private static func clock(_ before: String, _ after: String) -> Numbers.Clock {
        if ["am", "pm", "오전", "오후"].contains(before.lowercased()) { return .halfBefore }
        return after == "AM" || after == "PM" ? .upperHalfAfter : .otherHalf
    }

    /// Returns true if a line begins with a date and a time, with any words around the time.
    static func hasTime(_ line: ArraySlice<UInt8>) -> Bool {
        guard canBegin(line) else { return false }
        let beginning = String(decoding: line.prefix(longest), as: UTF8.self)
        var scanner = WhatsAppScanner(beginning.unicodeScalars[...])
        _ = scanner.take("[")
        return scanner.stamp() != nil
    }

    /// Returns false for most lines without a header.
    private static func canBegin(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first else { return false }
        return first == UInt8(ascii: "[") || (0x30...0x39).contains(first) || first >= 0x80
            || (0x41...0x5A).contains(first) && MonthName.begins(line)
    }

    /// Returns true if the scalar is an invisible direction mark, or has no width and joins nothing.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200B, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0xA0, 0x202F, 0x2009: true
        default: false
        }
    }
}
