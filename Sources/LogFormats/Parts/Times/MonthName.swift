import Bytes

/// The names of months in dates that programs write in the language of their user.
enum MonthName {
    /// Returns the number of a month, 1 to 12, for such a word in UTF-8.
    static func number(_ word: ArraySlice<UInt8>) -> Int? {
        // Nearly all logs are in English.
        if word.count == 3, let index = english.firstIndex(where: { word.elementsEqual($0) }) { return index + 1 }
        if let month = numbered(word) { return month }
        // Most other words at the beginning of a line are times and marks, such as [06:23:11] and <alice>.
        guard let first = word.first,
            first >= 0x80 || Byte.isLetter(first) || first == Byte.dot
                || Byte.isDigit(first) && word.contains(where: { $0 >= 0x80 })
        else { return nil }
        return number(String(decoding: word, as: UTF8.self))
    }

    /// Returns true if a line begins with the first three letters of an English month.
    static func begins(_ line: ArraySlice<UInt8>) -> Bool { english.contains { line.starts(with: $0) } }

    /// Reads `11월` and `11月`.
    private static func numbered(_ word: ArraySlice<UInt8>) -> Int? {
        let (digits, end) = (word.dropLast(3), word.suffix(3))
        guard (1...2).contains(digits.count), digits.allSatisfy(Byte.isDigit),
            end.elementsEqual("월".utf8) || end.elementsEqual("月".utf8)
        else { return nil }
        let month = digits.reduce(0) { $0 * 10 + Int($1 - Byte.zero) }
        return (1...12).contains(month) ? month : nil
    }

    private static let english = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map { Array($0.utf8) }

    /// Returns the number of a month, 1 to 12, for `Nov`, `november`, `nov.`, `Mär`, `11월` and so on; nil for another
    /// word.
    static func number(_ word: String) -> Int? {
        let name = word.lowercased().drop(while: { $0 == "." }).prefix { $0 != "." }
        if let last = name.last, "월月".contains(last) {
            return Int(name.dropLast()).flatMap { (1...12).contains($0) ? $0 : nil }
        }
        return numbers[String(name)]
    }

    /// The abbreviations of the C library's locales (`%b`), and the English names.
    private static let numbers: [String: Int] = {
        let languages = [
            "january february march april may june july august september october november december",
            "jan feb mar apr may jun jul aug sep oct nov dec", "jan feb mär apr mai jun jul aug sep okt nov dez",
            "janv févr mars avril mai juin juil août sept oct nov déc",
            "ene feb mar abr may jun jul ago sep oct nov dic", "jan fev mar abr mai jun jul ago set out nov dez",
            "gen feb mar apr mag giu lug ago set ott nov dic", "jan feb mrt apr mei jun jul aug sep okt nov dec",
            "jan feb mars apr maj juni juli aug sep okt nov des", "ian feb mar apr mai iun iul aug sep oct nov dec",
            "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
            "sty lut mar kwi maj cze lip sie wrz paź lis gru", "led úno bře dub kvě čen čec srp zář říj lis pro",
            "янв фев мар апр мая июн июл авг сен окт ноя дек", "січ лют бер кві тра чер лип сер вер жов лис гру",
            "jan febr márc ápr máj jún júl aug szept okt nov dec", "oca şub mar nis may haz tem ağu eyl eki kas ara",
        ]
        return languages.reduce(into: [:]) { numbers, names in
            for (index, name) in names.split(separator: " ").enumerated() where numbers[String(name)] == nil {
                numbers[String(name)] = index + 1
            }
        }
    }()
}
