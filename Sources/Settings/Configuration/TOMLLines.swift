/// The lines of the tables and keys of a TOML text. TOMLKit (0.6) has positions for syntax errors alone. Also finds the
/// faults that TOMLKit does not survive.
///
/// A path has the names of tables and keys; a number after the name of an array of tables counts from 1:
/// `["account", "2", "nick"]`.
struct TOMLLines {
    /// The limit of names in a path. The keys of a configuration have at most four.
    private static let maximumNames = 16

    private var lines: [[String]: Int] = [:]
    /// The first place where the parser behind TOMLKit 0.6 (toml++ 3.4) may end the process, because it asserts what
    /// it does not check, and what is wrong there; nil if there is none.
    private(set) var fault: (place: String.Index, what: String)?
    private var rest: Substring.UTF8View
    private var line = 1
    /// The path of the table that the next key belongs to.
    private var table: [String] = []
    /// The number of tables so far of each array of tables.
    private var counts: [[String]: Int] = [:]

    init(_ text: String) {
        let mark = "\u{FEFF}".utf8
        rest = text.utf8.dropFirst(text.utf8.starts(with: mark) ? mark.count : 0)
        while let byte = skipSpace() {
            if byte == UInt8(ascii: "[") { readHeader() } else { readKey() }
        }
    }

    /// Returns the line of a table or key. For one that has none, such as a key of an inline table, returns the line of
    /// what contains it; nil if nothing does.
    func line(of path: [String]) -> Int? {
        var path = path
        while !path.isEmpty {
            if let line = lines[path] { return line }
            path.removeLast()
        }
        return nil
    }

    private mutating func readHeader() {
        let start = rest.startIndex
        take()
        let isArray = rest.first == UInt8(ascii: "[")
        if isArray { take() }
        if !hasName { report("expected the name of a table after [", at: start) }
        let line = line
        let names = readNames(until: UInt8(ascii: "]"))
        table = numbered(isArray ? names.dropLast() : names[...])
        if isArray, let last = names.last {
            let path = table + [last]
            counts[path, default: 0] += 1
            if counts[path] == 1 { lines[path] = line }
            table = numbered(names[...])
        }
        lines[table] = line
        skipValue(isValue: false)
    }

    /// True if a name, the end of the brackets or the end of the text follows, after spaces.
    private var hasName: Bool {
        guard let first = rest.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
            return true
        }
        return switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    private mutating func readKey() {
        let line = line
        let names = readNames(until: UInt8(ascii: "="))
        for count in names.indices.map({ $0 + 1 }) where lines[table + names.prefix(count)] == nil {
            lines[table + names.prefix(count)] = line
        }
        skipValue(isValue: true)
    }

    /// Returns the names with the number of the latest table after each array of tables.
    private func numbered(_ names: ArraySlice<String>) -> [String] {
        names.reduce(into: []) { path, name in
            path.append(name)
            if let count = counts[path] { path.append(String(count)) }
        }
    }

    /// Reads names with dots between them, up to `end`, which is taken.
    private mutating func readNames(until end: UInt8) -> [String] {
        var (names, name): ([String], [UInt8]) = ([], [])
        while let byte = take(), byte != end, byte != UInt8(ascii: "\n") {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): name += takeString(byte)
            case UInt8(ascii: "."):
                if names.count < Self.maximumNames { names.append(String(decoding: name, as: UTF8.self)) }
                name = []
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            default: name.append(byte)
            }
        }
        return names + [String(decoding: name, as: UTF8.self)]
    }

    /// Skips a value, and the comment after it, to the end of its last line.
    ///
    /// - Parameter isValue: True if a value may follow; false after the header of a table.
    private mutating func skipValue(isValue: Bool) {
        var (isValue, open) = (isValue, [UInt8]())
        while let byte = rest.first {
            if isValue, Self.numberStarts.contains(byte) { checkNumber() }
            if isValue, open.last == UInt8(ascii: "["), byte == UInt8(ascii: "}") || byte >= 0x80 {
                report("expected a value or the end of the list", at: rest.startIndex)
            }
            take()
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): continue
            case UInt8(ascii: "#"): skipComment()
            case UInt8(ascii: "\n"):
                if open.isEmpty { return }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append(byte)
                isValue = byte == UInt8(ascii: "[")
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                _ = open.popLast()
                isValue = false
            case UInt8(ascii: ","): isValue = open.last == UInt8(ascii: "[")
            case UInt8(ascii: "="): isValue = true
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = takeString(byte)
                isValue = false
            default: isValue = false
            }
        }
    }

    private static let numberStarts = Set("+-0123456789".utf8)

    /// Reports a number or a time that is not TOML.
    private mutating func checkNumber() {
        guard fault == nil else { return }
        let number = /[+-]?[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9][0-9_]*)?/
        let otherNumber = /0[xob][0-9A-Fa-f][0-9A-Fa-f_]*|[+-](inf|nan)/
        let date = /[0-9]{4}-[0-9]{2}-[0-9]{2}/
        let time =
            /([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ])?[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?([Zz]|[+-][0-9]{2}:[0-9]{2})?/
        var text = word(rest)
        let more = rest.dropFirst(text.utf8.count)
        // A date and a time may have a space between them.
        if text.utf8.count == 10, more.first == UInt8(ascii: " "), let next = more.dropFirst().first,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
        {
            text += " " + word(more.dropFirst())
        }
        let isValid =
            text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || text.wholeMatch(of: number) != nil || text.wholeMatch(of: otherNumber) != nil
            || text.wholeMatch(of: date) != nil || text.wholeMatch(of: time) != nil
        if !isValid { report("can't read this number or time", at: rest.startIndex) }
    }

    /// Returns the bytes to the end of a value without quotes.
    private func word(_ bytes: Substring.UTF8View) -> String {
        String(Substring(bytes.prefix { $0 > 0x20 && !",]}#".utf8.contains($0) }))
    }

    private mutating func report(_ what: String, at place: String.Index) {
        if fault == nil { fault = (place, what) }
    }

    /// Takes the rest of a string after its first quote, including the last one, and returns the text between them. A
    /// string of three quotes may have line breaks.
    private mutating func takeString(_ quote: UInt8) -> [UInt8] {
        let isLong = rest.starts(with: [quote, quote])
        if isLong {
            take()
            take()
        }
        var text: [UInt8] = []
        while let byte = take() {
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                if let escaped = take() { text += [byte, escaped] }
            } else if byte == quote, !isLong || rest.starts(with: [quote, quote]) {
                // Quotes before the last three belong to the text.
                if isLong { while rest.first == quote { take() } }
                return text
            } else {
                text.append(byte)
            }
        }
        return text
    }

    /// Skips spaces, empty lines and comments. Returns the next byte without taking it; nil at the end.
    private mutating func skipSpace() -> UInt8? {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): take()
            case UInt8(ascii: "#"): skipComment()
            default: return byte
            }
        }
        return nil
    }

    private mutating func skipComment() {
        while let byte = rest.first, byte != UInt8(ascii: "\n") { rest.removeFirst() }
    }

    @discardableResult
    private mutating func take() -> UInt8? {
        let byte = rest.popFirst()
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }
}
