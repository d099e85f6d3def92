import ChatModel

/// The beginning of a WhatsApp message: `[21/11/2026, 06:23:11] `, `11/21/26, 6:23 AM - `, `2026. 11. 21. 오전 6:23 - `.
struct WhatsAppHeader {
    /// The numbers of a date, in the order of the line.
    struct Numbers: Hashable {
        var parts: [Int]
        /// True if the first number is the year, because it has four digits.
        var isYearFirst: Bool
        var separator: Unicode.Scalar
        var is12Hours = false
        var yearDigits: Int
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
        // Most lines without a header end here.
        guard let first = line.first, first == UInt8(ascii: "[") || (0x30...0x39).contains(first) || first >= 0x80
        else {
            return nil
        }
        let beginning = String(decoding: line.prefix(Self.longest), as: UTF8.self)
        var scanner = WhatsAppScanner(beginning.unicodeScalars[...])
        let isBracketed = scanner.take("[")
        guard var numbers = scanner.date() else { return nil }
        _ = scanner.take(",") || scanner.take("،")
        let before = scanner.word()
        guard let time = scanner.time() else { return nil }
        let after = scanner.word()
        guard let half = Self.half(before, after) else { return nil }
        guard let hour = half.hour(time[0], most: 24), time[1] < 60, time.count < 3 || time[2] <= 60 else { return nil }
        guard let end = scanner.end(isBracketed: isBracketed) else { return nil }
        numbers.is12Hours = half != .none
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

    /// Returns true if the scalar is an invisible direction mark.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
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

/// The half of the day that a clock of 12 hours shows; none for a clock of 24 hours.
enum DayHalf {
    case none, morning, afternoon

    private static let mornings: Set<String> = [
        "am", "오전", "午前", "上午", "早上", "凌晨", "清晨", "πμ", "ص", "sa", "öö", "de", "fm",
    ]
    private static let afternoons: Set<String> = [
        "pm", "오후", "午後", "下午", "晚上", "中午", "μμ", "م", "ch", "ös", "du", "em",
    ]
    /// Words before a time of 24 hours: Finnish, Danish, English, German.
    private static let others: Set<String> = ["", "klo", "kl", "at", "um"]

    /// Nil for an unknown word.
    init?(_ word: String) {
        let word = word.lowercased().filter { $0 != "." && $0 != " " }
        if Self.others.contains(word) {
            self = .none
        } else if Self.mornings.contains(word) {
            self = .morning
        } else if Self.afternoons.contains(word) {
            self = .afternoon
        } else {
            return nil
        }
    }

    /// Returns the hour from 0 to 23; nil for an hour that such a clock doesn't show.
    ///
    /// - Parameter most: 24 for the clocks of phones, some of which show the first hour of a day as 24.
    func hour(_ shown: Int, most: Int = 23) -> Int? {
        switch self {
        case .none: shown <= most ? shown % 24 : nil
        case .morning: shown <= 12 ? shown % 12 : nil
        case .afternoon: shown <= 12 ? shown % 12 + 12 : nil
        }
    }
}
