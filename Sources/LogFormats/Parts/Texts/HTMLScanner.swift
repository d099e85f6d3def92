import Bytes

/// Reads the tags and texts of HTML one after the other. Keeps no tree, and treats everything that is not a tag as
/// text.
struct HTMLScanner {
    enum Token {
        case text(ArraySlice<UInt8>)
        case opening(HTMLTag)
        /// The name of the element that ends.
        case closing(ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>
    /// The position of the first byte.
    private let origin: Int
    /// The states, as bits, in which no `>` ends a tag from a byte on; empty until a tag without an end is found. So
    /// that many such tags take no longer than their bytes.
    private var endless: [UInt8] = []

    init(_ bytes: ArraySlice<UInt8>) {
        (rest, origin) = (bytes, bytes.startIndex)
    }

    /// Returns the next token; nil at the end. Comments and declarations are left out.
    mutating func next() -> Token? {
        while let first = rest.first {
            guard first == Self.less, let end = end(ofTag: rest) else {
                let start = first == Self.less ? rest.startIndex + 1 : rest.startIndex
                let end = rest[start...].firstIndex(of: Self.less) ?? rest.endIndex
                defer { rest = rest[end...] }
                return .text(rest[..<end])
            }
            let inside = rest[(rest.startIndex + 1)..<end]
            rest = rest[(end + 1)...]
            switch inside.first {
            case Byte.bang, UInt8(ascii: "?"): continue
            case Byte.slash: return .closing(inside.dropFirst().prefix { !Self.endsName($0) })
            default: return .opening(HTMLTag(inside))
            }
        }
        return nil
    }

    private static let less = UInt8(ascii: "<")

    fileprivate static func endsName(_ byte: UInt8) -> Bool { Byte.isJSONSpace(byte) || byte == Byte.slash }

    /// Returns the position of the `>` of a tag; nil if the `<` does not begin a tag. Ignores a `>` in quotes.
    private mutating func end(ofTag bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.dropFirst().first,
            first == Byte.slash || first == Byte.bang || (0x41...0x7A).contains(first)
        else { return nil }
        if let end = walk(bytes, isMarking: false) { return end }
        _ = walk(bytes, isMarking: true)
        return nil
    }

    /// Reads a tag up to its `>`; nil if there is none.
    ///
    /// - Parameter isMarking: True to note the way in ``endless``.
    private mutating func walk(_ bytes: ArraySlice<UInt8>, isMarking: Bool) -> Int? {
        var quote: UInt8?
        for index in bytes.indices.dropFirst() {
            let byte = bytes[index]
            // 1 outside of quotes, 2 in double quotes, 4 in single ones.
            let state: UInt8 = quote == nil ? 1 : quote == Byte.quote ? 2 : 4
            if !endless.isEmpty, endless[index - origin] & state != 0 { return nil }
            if isMarking {
                if endless.isEmpty { endless = Array(repeating: 0, count: rest.endIndex - origin) }
                endless[index - origin] |= state
            }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return index
            } else if byte == Byte.quote || byte == UInt8(ascii: "'") {
                quote = byte
            }
        }
        return nil
    }
}

/// A tag that opens an element.
struct HTMLTag {
    private let inside: ArraySlice<UInt8>
    let name: ArraySlice<UInt8>

    /// - Parameter inside: The bytes between `<` and `>`.
    init(_ inside: ArraySlice<UInt8>) {
        self.inside = inside
        name = inside.prefix { !HTMLScanner.endsName($0) }
    }

    func isNamed(_ name: String) -> Bool { self.name.elementsEqual(name.utf8) }

    /// True for an element without an end.
    var isVoid: Bool {
        inside.last == Byte.slash || ["br", "img", "meta", "link", "hr", "input"].contains(where: isNamed)
    }

    /// Returns the text of an attribute; nil if the tag has none of that name.
    func attribute(_ name: String) -> String? {
        var rest = inside[self.name.endIndex...]
        while true {
            rest = rest.drop { HTMLScanner.endsName($0) }
            let found = rest.prefix { !HTMLScanner.endsName($0) && $0 != Byte.equals }
            guard !found.isEmpty || rest.first == Byte.equals else { return nil }
            rest = rest[found.endIndex...].drop(while: Byte.isJSONSpace)
            guard rest.first == Byte.equals else { continue }
            rest = rest.dropFirst().drop(while: Byte.isJSONSpace)
            let value = Self.takeValue(&rest)
            if found.elementsEqual(name.utf8) { return HTMLText(value).string }
        }
    }

    private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let quote = rest.first, quote == Byte.quote || quote == UInt8(ascii: "'") else {
            let value = rest.prefix { !Byte.isJSONSpace($0) }
            rest = rest[value.endIndex...]
            return value
        }
        let value = rest.dropFirst().prefix { $0 != quote }
        rest = rest[value.endIndex...].dropFirst()
        return value
    }

    /// The classes of the element.
    var classes: [Substring] { attribute("class")?.split(separator: " ") ?? [] }
}

/// A text of HTML with its characters in place of their names: `&amp;` is `&`, `&#x1F44B;` is 👋. Unknown names stay
/// unchanged. Two numbers of a surrogate pair, which some programs of Android write, are one character.
struct HTMLText {
    private(set) var bytes: [UInt8] = []

    init(_ source: ArraySlice<UInt8>) {
        bytes.reserveCapacity(source.count)
        var rest = source
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            bytes += rest[..<start]
            rest = rest[start...]
            if let known = Self.take(&rest) {
                bytes += known.utf8
            } else {
                bytes.append(UInt8(ascii: "&"))
                rest = rest.dropFirst()
            }
        }
        bytes += rest
    }

    /// Takes a character's name, or the two numbers of a surrogate pair.
    private static func take(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let name = name(in: rest) else { return nil }
        if let high = number(name), (0xD800..<0xDC00).contains(high),
            let low = self.name(in: rest[(name.endIndex + 1)...]),
            let second = number(low), (0xDC00..<0xE000).contains(second)
        {
            rest = rest[(low.endIndex + 1)...]
            return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (second - 0xDC00)).map { String(Character($0)) }
        }
        guard let known = character(name) else { return nil }
        rest = rest[(name.endIndex + 1)...]
        return known
    }

    /// Returns the bytes between `&` and `;` at the beginning; nil if there are none.
    private static func name(in rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // The longest number is `&#1114111;`.
        guard rest.first == UInt8(ascii: "&"), let end = rest.prefix(10).firstIndex(of: Byte.semicolon) else {
            return nil
        }
        return rest[(rest.startIndex + 1)..<end]
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    private static func character(_ name: ArraySlice<UInt8>) -> String? {
        guard name.first == UInt8(ascii: "#") else { return names[String(decoding: name, as: UTF8.self)] }
        guard let value = number(name) else { return nil }
        return String(Unicode.Scalar(value).map(Character.init) ?? "\u{FFFD}")
    }

    /// Returns the number in `#128075` or `#x1F44B`; nil for anything else.
    private static func number(_ name: ArraySlice<UInt8>) -> UInt32? {
        guard name.first == UInt8(ascii: "#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let number = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
        return UInt32(number, radix: isHexadecimal ? 16 : 10)
    }

    private static let names = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "laquo": "«", "raquo": "»",
    ]
}

extension String {
    /// The text without white space around it.
    var trimmedOfBlanks: String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        var bytes = Array(utf8)[...].drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
