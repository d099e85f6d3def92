import Bytes
import ChatModel

/// The beginning of a session: `ICQ - 1000:Bob`, of the network ICQ, from the account 1000 to Bob.
struct TrillianSession: Sendable {
    /// Nil in some versions, which write `alice@example.org:Bob`.
    let medium: String?
    /// The contact's name, as the lines have it.
    let contact: String
    let time: CTime

    /// - Parameter people: The text in the parentheses.
    /// - Returns: Nil for a text without a contact.
    fileprivate init?(_ people: ArraySlice<UInt8>, at time: CTime) {
        let parts = people.parted(by: " - ")
        // A network's name has no spaces and no marks.
        let isNamed = parts?.left.allSatisfy { Byte.isLetter($0) || Byte.isDigit($0) } ?? false
        medium = isNamed ? parts.map { LogText($0.left).string } : nil
        let rest = isNamed ? parts?.right ?? [] : people
        let name = rest.index(of: Byte.colon).map { rest[($0 + 1)...] } ?? rest
        guard let contact = ExportText.name(LogText(name.trimmed).string) else { return nil }
        (self.contact, self.time) = (contact, time)
    }
}

/// A line about a session.
enum TrillianSessionLine {
    /// Nil for a session whose time can't be read.
    case start(TrillianSession?)
    case close

    init?(_ line: ArraySlice<UInt8>) {
        let line = line.trimmed
        // A byte order mark may stand in place of the first three bytes of a file.
        if let rest = line.after("Session Start (") ?? line.after("sion Start (") ?? line.after("\u{FEFF}sion Start (")
        {
            guard let end = rest.lastRange(of: "): ") else { return nil }
            let time = CTime(rest[end.upperBound...].trimmed)
            self = .start(time.flatMap { TrillianSession(rest[..<end.lowerBound], at: $0) })
            return
        }
        // A file may break off behind the colon.
        guard let rest = line.after("Session Close ("), rest.lastRange(of: "):") != nil else { return nil }
        self = .close
    }
}

/// A line of a session: a message of a person, or of the program, after three stars.
struct TrillianLine: Sendable {
    /// Nil for a message of the program.
    let sender: LogText?
    let text: ArraySlice<UInt8>

    /// The limit of bytes of a name in a line without a time, where any text may stand before a colon.
    private static let maximumName = 64

    /// - Parameter line: The line after its time.
    init(_ line: ArraySlice<UInt8>, in session: TrillianSession) {
        if let text = Self.ofProgram(line) {
            (sender, self.text) = (nil, text)
        } else if let text = line.after(session.contact + ": ") {
            // A contact's name may have a colon in it.
            (sender, self.text) = (LogText(Array(session.contact.utf8)[...]), text)
        } else if let (name, text) = line.parted(by: ": "), !name.isBlank {
            (sender, self.text) = (LogText(name.trimmed), text)
        } else {
            (sender, text) = (nil, line.trimmed)
        }
    }

    /// - Returns: Nil for a line that continues the one before it.
    init?(untimed line: ArraySlice<UInt8>, in session: TrillianSession) {
        let isNamed = line.prefix(Self.maximumName).range(of: ": ").map { $0.lowerBound > line.startIndex } ?? false
        guard Self.ofProgram(line) != nil || line.starts(with: session.contact + ": ") || isNamed else { return nil }
        self.init(line, in: session)
    }

    private static func ofProgram(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        line.after("*** ").map { $0.trimmed }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Takes `[06:23] `, `[06:23:11 PM] ` or `[11/21/2026 06:23 PM] ` from the beginning of a line; nil for another line.
    ///
    /// - Parameter day: The session's day, to which a date whose order is open is the nearest.
    static func stamp(taking line: inout ArraySlice<UInt8>, near day: CalendarDate) -> LineStamp? {
        if let stamp = LineStamp(taking: &line, brackets: .required) { return stamp }
        guard line.first == Byte.listStart,
            let end = line.prefix(LocaleTime.maximumLength + 2).firstIndex(of: Byte.listEnd),
            let time = LocaleTime(line[(line.startIndex + 1)..<end])
        else { return nil }
        let rest = line[(end + 1)...]
        guard rest.isEmpty || rest.first == Byte.space else { return nil }
        line = rest.dropFirst()
        return LineStamp(date: time.date(nearest: day), seconds: time.seconds, resolution: time.resolution)
    }

    /// Returns a text with its links as other formats have them: `(Link: ADDRESS)ADDRESS` is the address, and
    /// `(Link: ADDRESS)words` is `words (ADDRESS)`.
    static func linked(_ text: ArraySlice<UInt8>) -> LogText {
        guard text.range(of: mark) != nil else { return LogText(text) }
        var (bytes, rest) = ([UInt8](), text)
        while let (before, after) = rest.parted(by: mark), let (address, behind) = after.parted(by: ")") {
            let words = behind.prefix { $0 != Byte.space && $0 != Byte.lineFeed }
            bytes += before + words
            if !words.elementsEqual(address) {
                bytes += [Byte.space, UInt8(ascii: "(")] + address + [UInt8(ascii: ")")]
            }
            rest = behind[words.endIndex...]
        }
        return LogText((bytes + rest)[...])
    }

    private static let mark = "(Link: "
}
