import Bytes

/// The first line of a row that KakaoTalk for macOS writes: `2021-12-29 20:36:00,"민수","text"`. A quoted text may
/// continue in the next lines.
struct KakaoTalkRow {
    let date: CalendarDate
    let time: ClockTime
    let sender: [UInt8]
    /// The text of this line, without quotes.
    let text: [UInt8]
    /// True if the quotes of the text are not closed in this line.
    let isOpen: Bool
    /// True if the line can't be inside the quotes of another row, where every quote is doubled.
    let isCertain: Bool

    static func isHeader(_ line: ArraySlice<UInt8>) -> Bool { line.elementsEqual("Date,User,Message".utf8) }

    init?(_ line: ArraySlice<UInt8>) {
        var scanner = ByteScanner(line)
        guard let date = scanner.date(), scanner.take(Byte.space), let time = scanner.clock(), time.second != nil,
            scanner.take(Byte.comma)
        else { return nil }
        let fields = scanner.rest
        guard let (sender, rest) = Self.field(fields) else { return nil }
        let isQuoted = rest.first == Byte.quote
        let (text, isClosed) = isQuoted ? Self.unquoted(rest.dropFirst()) : (Array(rest), true)
        (self.date, self.time, self.sender, self.text, isOpen) = (date, time, sender, text, !isClosed)
        isCertain =
            fields.first == Byte.quote && (fields.dropFirst().first != Byte.quote || fields.starts(with: "\"\","))
    }

    /// Returns the text of a row without a time and a name, as KakaoTalk writes a notice: `,"","text"`; nil for another
    /// line.
    static func notice(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        guard let text = line.after(",\"\",\""), case let (notice, isClosed) = unquoted(text), isClosed else {
            return nil
        }
        return notice
    }

    /// Reads a field and the comma after it.
    private static func field(_ bytes: ArraySlice<UInt8>) -> (value: [UInt8], rest: ArraySlice<UInt8>)? {
        guard bytes.first == Byte.quote else {
            return bytes.firstIndex(of: Byte.comma).map { (Array(bytes[..<$0]), bytes[($0 + 1)...]) }
        }
        var (value, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes.dropFirst())
        while let quote = rest.firstIndex(of: Byte.quote) {
            value += rest[..<quote]
            rest = rest[(quote + 1)...]
            switch rest.first {
            case Byte.comma: return (value, rest.dropFirst())
            case Byte.quote:
                value.append(Byte.quote)
                rest = rest.dropFirst()
            default: return nil
            }
        }
        return nil
    }

    /// Returns a line of a quoted text with single quotes. The text ends with a quote at the end of the line that is
    /// not doubled; a quote elsewhere stays.
    static func unquoted(_ line: ArraySlice<UInt8>) -> (text: [UInt8], isClosed: Bool) {
        var (text, rest): ([UInt8], ArraySlice<UInt8>) = ([], line)
        while let quote = rest.firstIndex(of: Byte.quote) {
            text += rest[..<quote]
            rest = rest[(quote + 1)...]
            if rest.isEmpty { return (text, true) }
            text.append(Byte.quote)
            if rest.first == Byte.quote { rest = rest.dropFirst() }
        }
        return (text + rest, false)
    }
}
