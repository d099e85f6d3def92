/// The cost of text in an encoding; see ``EncodingModel``.
struct LineCost: Sendable, Hashable {
    /// The cost of all characters in bits, including ASCII.
    fileprivate(set) var bits = 0.0
    /// The number of characters above U+007F.
    fileprivate(set) var characters = 0
    /// The cost of the characters above U+007F in bits, including the cost of their places.
    fileprivate(set) var characterBits = 0.0
    /// The number of bytes that are not part of a character.
    fileprivate(set) var invalid = 0

    /// The mean cost of a character above U+007F, in bits.
    var mean: Double { characterBits / Double(max(characters, 1)) }

    /// True if the characters are unlikely to be text in the language. The limit is higher for few characters.
    func isUnusual(in language: Language) -> Bool {
        characterBits > language.limit * Double(characters) + 8
    }

    static func += (total: inout LineCost, line: LineCost) {
        total.bits += line.bits
        total.characters += line.characters
        total.characterBits += line.characterBits
        total.invalid += line.invalid
    }
}

extension EncodingModel {
    /// Returns the cost of a line.
    func cost(of line: ArraySlice<UInt8>) -> LineCost {
        var meter = LineMeter(language: language)
        line.withUnsafeBufferPointer { line in
            var place = 0
            while place < line.count { place += addCharacter(of: line, at: place, &meter) }
        }
        return meter.cost
    }

    /// Adds the character at a place. Returns the number of its bytes.
    private func addCharacter(of line: UnsafeBufferPointer<UInt8>, at place: Int, _ meter: inout LineMeter) -> Int {
        let byte = line[place]
        guard byte >= 0x80 else {
            meter.add(ascii: byte)
            return 1
        }
        let index = Int(byte) - 0x80
        if single[index] != 0 {
            meter.add(single[index], letter: letters[index])
            return 1
        }
        guard !pairs.isEmpty else {
            meter.addInvalid()
            return 1
        }
        guard place + 1 < line.count else {
            meter.addCut()
            return 1
        }
        let cost = pairs[index << 8 | Int(line[place + 1])]
        if cost != 0 {
            meter.add(cost, letter: 0)
            return 2
        }
        if let length = length(ofRare: line, at: place) {
            meter.add(LineMeter.rare, letter: 0)
            return length
        }
        meter.addInvalid()
        return 1
    }

    /// Returns the number of bytes of a character of JIS X 0212 in EUC-JP, or of a character of four bytes in GB18030;
    /// nil for others.
    private func length(ofRare line: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
        func isByte(_ offset: Int, _ range: ClosedRange<UInt8>) -> Bool {
            place + offset < line.count && range ~= line[place + offset]
        }
        switch encoding {
        case .eucJP where isByte(0, 0x8F...0x8F) && isByte(1, 0xA1...0xFE) && isByte(2, 0xA1...0xFE): return 3
        case .gb18030
        where isByte(0, 0x81...0xFE) && isByte(1, 0x30...0x39) && isByte(2, 0x81...0xFE) && isByte(3, 0x30...0x39):
            return 4
        default: return nil
        }
    }
}

/// Adds up the cost of a line: for each character, its own cost and the cost of its place after the character before
/// it.
///
/// The costs of places express that the characters of most scripts come in runs, that accented letters stand alone
/// between letters, and that a capital begins a word. They are estimates in whole and half bits.
private struct LineMeter {
    /// The kind of the character before the next one.
    private enum Before {
        case other, letter, high
    }

    let language: Language
    private(set) var cost = LineCost()
    private var before = Before.other
    /// True if the character before is a lower-case letter.
    private var isAfterSmall = false
    /// True if the character before is the only one after a Latin letter.
    private var isLone = false
    /// The number of capitals directly before.
    private var capitals = 0

    /// The number of Latin letters so far, at most ``maximumLatin``.
    private var latinLetters = 0

    /// The cost of an ASCII character: 32 of them are likely, which is 5 bits.
    private static let ascii = 5.0
    /// The additional cost of a Latin letter in languages with other letters, for the first 50 letters of a line: among
    /// them, a single `è` is less likely a Cyrillic `и`.
    private static let (latin, maximumLatin) = (0.2, 50)
    /// The cost of a character of three or four bytes, which only rare characters have.
    static let rare: Float = 22
    /// The cost of a byte that is not part of a character: more than that of any rare character.
    private static let error = 24.0
    /// The cost of a pair that the end of the line cuts, as IRC does after 512 bytes.
    private static let cut = 12.0

    init(language: Language) {
        self.language = language
    }

    mutating func add(ascii byte: UInt8) {
        let isSmall = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        let isLetter = isSmall || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        cost.bits += Self.ascii
        if isLetter, language != .western, latinLetters < Self.maximumLatin {
            latinLetters += 1
            cost.bits += Self.latin
        }
        cost.bits += before != .high || language == .western ? 0.3 : isLetter ? letterAfterHigh : 2
        (before, isAfterSmall, capitals, isLone) = (isLetter ? .letter : .other, isSmall, 0, false)
    }

    /// - Parameter letter: 1 for a lower-case letter, 2 for a capital, 0 for anything else.
    mutating func add(_ character: Float, letter: UInt8) {
        let bits = Double(character) + place(letter, character)
        cost.bits += bits
        cost.characterBits += bits
        cost.characters += 1
        capitals = letter == 2 ? capitals + 1 : 0
        isLone = before == .letter
        (before, isAfterSmall) = (.high, letter == 1)
    }

    /// The cost of a Latin letter after a character above U+007F. Russian words have no Latin letters. Chinese,
    /// Japanese and Korean have no spaces between words, but a single character between two Latin letters is unlikely.
    private var letterAfterHigh: Double { language == .cyrillic ? 8 : isLone ? 11 : 3.3 }

    private func place(_ letter: UInt8, _ character: Float) -> Double {
        switch language {
        case .western:
            let isInner = letter == 2 && isAfterSmall
            switch before {
            case .letter: return 4 + (isInner ? 6 : 0) + (letter == 0 ? 2 : 0)
            // `à`, `é` and `è` are words; they are among the most frequent letters.
            case .other: return letter != 0 && character < 4.2 ? 4.5 : 6
            case .high: return isInner ? 12.5 : 6.5
            }
        case .cyrillic:
            let run = before == .high ? 0.4 : before == .letter ? 10 : 2
            guard letter == 2 else { return run }
            // A capital costs more than a lower-case letter (``LetterCosts``), except inside a word of capitals.
            return run + (isAfterSmall ? 6 : capitals > 1 ? -3 : 0)
        default:
            return before == .high ? 0.4 : 2.5
        }
    }

    mutating func addInvalid() {
        cost.bits += Self.error
        cost.invalid += 1
        (before, isAfterSmall, capitals, isLone) = (.other, false, 0, false)
    }

    mutating func addCut() {
        cost.bits += Self.cut
    }
}
