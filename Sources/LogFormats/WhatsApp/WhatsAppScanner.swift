/// Takes the expected text from the beginning of a WhatsApp line, and ignores marks of direction.
struct WhatsAppScanner {
    private(set) var rest: Substring.UnicodeScalarView

    init(_ text: Substring.UnicodeScalarView) {
        rest = text
    }

    private mutating func passMarks() {
        rest = rest.drop { WhatsAppHeader.isMark($0) }
    }

    private mutating func passSpaces() {
        rest = rest.drop { WhatsAppHeader.isMark($0) || WhatsAppHeader.isSpace($0) }
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        passMarks()
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes one to four digits, of any script.
    private mutating func number() -> WhatsAppHeader.Numbers.Number? {
        passMarks()
        let digits = rest.prefix { $0.properties.numericType == .decimal }
        guard (1...4).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        let value = digits.reduce(0) { $0 * 10 + Int($1.properties.numericValue ?? 0) }
        return WhatsAppHeader.Numbers.Number(value: value, digits: digits.count)
    }

    /// Takes a number of a date.
    ///
    /// The iPhone may show years of the Japanese calendar, `R4` for 2022, and of the Buddhist one, `2565 BE`
    /// (whats_json 1.0 has a sample of each). WhatsApp is from 2009, of which two eras of Japan are left.
    private mutating func dateNumber() -> WhatsAppHeader.Numbers.Number? {
        let beforeEra = take("R") ? 2018 : take("H") ? 1988 : nil
        guard var number = number() else { return nil }
        if let beforeEra {
            return number.digits <= 2 ? .init(value: beforeEra + number.value, digits: 4) : nil
        }
        if number.digits == 4, number.value >= 2500 {
            number.value -= 543
            var copy = self
            if ["BE", "พ.ศ."].contains(copy.word()) { self = copy }
        }
        return number
    }

    private mutating func separator(_ known: String) -> Unicode.Scalar? {
        passMarks()
        guard let first = rest.first, known.unicodeScalars.contains(first) else { return nil }
        rest.removeFirst()
        passSpaces()
        return first
    }

    /// Takes `21/11/2026`, `21.11.26`, `26/8/1`, `2026-11-21`, `2026. 11. 21.`, `2026년 11월 21일` or `2026年11月21日`,
    /// also with a year of the Japanese or the Buddhist calendar.
    private mutating func date() -> WhatsAppHeader.Numbers? {
        guard let first = dateNumber(), let separator = separator("/.-년年"), let second = number(),
            self.separator("/.-월月") != nil, let third = dateNumber()
        else { return nil }
        let endsWithPoint = take(".")
        _ = !endsWithPoint && (take("일") || take("日"))
        // One number is the year, and has two or four digits.
        let digits = [first.digits, third.digits]
        guard digits.contains(where: { $0 == 2 || $0 == 4 }), !digits.contains(3), digits != [4, 4], second.digits <= 2
        else { return nil }
        return WhatsAppHeader.Numbers(
            first: first, second: second, third: third, separator: separator, endsWithPoint: endsWithPoint)
    }

    /// The date and the time of a header, and the words around the time.
    struct Stamp {
        let date: WhatsAppHeader.Numbers
        let before: String
        let time: [Int]
        let after: String
    }

    /// Takes a date and a time. The time is first on iPhones in Vietnamese (whats_json 1.0 has a sample), and on Android
    /// in 2013.
    mutating func stamp() -> Stamp? {
        var copy = self
        if let date = copy.numberedOrNamedDate() {
            copy.takeComma()
            let before = copy.word()
            guard let time = copy.time() else { return nil }
            self = copy
            return Stamp(date: date, before: before, time: time, after: word())
        }
        copy = self
        let before = copy.word()
        guard let time = copy.time() else { return nil }
        let after = copy.word()
        copy.takeComma()
        copy.passSpaces()
        guard let date = copy.numberedOrNamedDate() else { return nil }
        self = copy
        return Stamp(date: date, before: before, time: time, after: after)
    }

    private mutating func takeComma() { _ = take(",") || take("،") }

    private mutating func numberedOrNamedDate() -> WhatsAppHeader.Numbers? {
        var copy = self
        if let date = copy.date() {
            self = copy
            return date
        }
        return namedDate()
    }

    /// Takes `21 Nov 2014` or `Nov 21, 2014`, as Android wrote in 2013 to 2015. Returns it with the year first.
    private mutating func namedDate() -> WhatsAppHeader.Numbers? {
        var day = number()
        guard let month = MonthName.number(word()) else { return nil }
        if day == nil {
            day = number()
            takeComma()
            passSpaces()
        }
        guard let day, day.digits <= 2, let year = number(), year.digits == 4 else { return nil }
        return WhatsAppHeader.Numbers(
            first: year, second: .init(value: month, digits: 2), third: day, separator: "-", endsWithPoint: false)
    }

    /// Takes letters and full stops, and ignores spaces: `AM`, `p. m.`, `오전`; empty if there are none.
    private mutating func word() -> String {
        var word = ""
        passSpacesWithin()
        while let scalar = rest.first, scalar.properties.isAlphabetic || scalar == ".", word.unicodeScalars.count < 16 {
            word.unicodeScalars.append(scalar)
            rest.removeFirst()
            passSpacesWithin()
        }
        return word
    }

    /// Skips the spaces before a word or a time, also within `a. m.`, but not the spaces before the end of the header.
    private mutating func passSpacesWithin() {
        var copy = self
        copy.passSpaces()
        guard let next = copy.rest.first, next.properties.isAlphabetic || next.properties.numericType == .decimal else {
            return
        }
        self = copy
    }

    /// Takes `6:23` or `06.23.11`.
    private mutating func time() -> [Int]? {
        guard let hour = number(), hour.digits <= 2, take(":") || take("."), let minute = number(), minute.digits == 2
        else { return nil }
        var copy = self
        if copy.take(":") || copy.take("."), let second = copy.number(), second.digits == 2 {
            self = copy
            return [hour.value, minute.value, second.value]
        }
        return [hour.value, minute.value]
    }

    /// Takes the end of the header and returns its mark: `] `, ` - `, `: ` or `, `.
    mutating func end(isBracketed: Bool) -> Unicode.Scalar? {
        passMarks()
        if isBracketed {
            guard take("]") else { return nil }
            if rest.first.map(WhatsAppHeader.isSpace) ?? false { rest.removeFirst() }
            return "]"
        }
        if rest.isEmpty { return "-" }
        for end: Unicode.Scalar in [",", ":"] where rest.first == end {
            rest.removeFirst()
            return takeSpace() ? end : nil
        }
        guard takeSpace(), take("-") || take("–"), takeSpace() || rest.isEmpty else { return nil }
        return "-"
    }

    private mutating func takeSpace() -> Bool {
        guard let first = rest.first, WhatsAppHeader.isSpace(first) else { return false }
        rest.removeFirst()
        return true
    }
}
