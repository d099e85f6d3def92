/// Reads the words of one command into its parameters.
struct WordReader {
    private let cells: [ParameterCell]
    private var arguments: [String] = []
    private let takesUnknownOptions: Bool

    init(_ cells: [ParameterCell]) {
        self.cells = cells
        takesUnknownOptions = cells.contains { $0.parameter.takesUnknownOptions }
    }

    /// - Throws: ``CommandLineError``; ``CleanExit`` if the words have `--help` or `-h`.
    mutating func readWords(_ words: [String]) throws {
        do {
            try take(words)
            try assign()
        } catch {
            // Help is wanted most where there is a mistake.
            guard words.prefix(while: { $0 != "--" }).contains(where: Self.asksForHelp) else { throw error }
            throw CleanExit.helpRequest
        }
        guard let missing = cells.first(where: \.isMissing)?.described else { return }
        throw CommandLineError(
            reason: .missing(missing.required), help: missing.line(missing.names.first ?? ""))
    }

    static func asksForHelp(_ word: String) -> Bool { word == "-h" || word == "--help" }

    /// Returns true for a word that looks like an option. A number or a time may begin with `-`, too.
    static func looksLikeOption(_ word: String) -> Bool {
        let bytes = word.utf8
        guard bytes.first == UInt8(ascii: "-"), let second = bytes.dropFirst().first else { return false }
        return !isDigit(second)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private mutating func take(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            let dashes = word.utf8.prefix { $0 == UInt8(ascii: "-") }.count
            if word == "--" {
                arguments += rest
                return
            } else if dashes > 1 {
                try takeLong(word, &rest)
            } else if dashes == 1, word.utf8.count > 1 {
                try takeShort(word, &rest)
            } else {
                arguments.append(word)
            }
        }
    }

    private func takeLong(_ word: String, _ rest: inout ArraySlice<String>) throws {
        let equals = word.utf8.firstIndex(of: UInt8(ascii: "="))
        let name = String(word[..<(equals ?? word.endIndex)])
        let value = equals.map { String(word[word.utf8.index(after: $0)...]) }
        if name == "--help" {
            guard let value else { throw CleanExit.helpRequest }
            throw CommandLineError(reason: .needlessValue(option: name, value: value))
        }
        guard let cell = cells.first(where: { $0.parameter.isNamed(name) }) else {
            throw CommandLineError(reason: .unknownOption(name == "--" ? word : name))
        }
        if cell.parameter.takesValue { return try readValues(of: cell, name, value, &rest) }
        if let value { throw CommandLineError(reason: .needlessValue(option: name, value: value)) }
        cell.set(cell.parameter.form == .flag || name.utf8.count == cell.parameter.name.utf8.count + 2)
    }

    /// Reads `-f`, several flags such as `-fu`, and an option with its value: `-n 5`, `-n5`, `-n=5`.
    private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>) throws {
        if takesUnknownOptions, !isLetter(word), !isNumbered(word) { return arguments.append(word) }
        // A long name with one dash is a mistake, not its letters.
        if word.utf8.count > 2 {
            let name = String(word[..<(word.utf8.firstIndex(of: UInt8(ascii: "=")) ?? word.endIndex)])
            guard !cells.contains(where: { $0.parameter.isNamed("-" + name) }) else {
                throw CommandLineError(reason: .unknownOption(name))
            }
        }
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            if letter == "h" { throw CleanExit.helpRequest }
            guard let cell = cells.first(where: { $0.parameter.isNamed(letter) }) else {
                throw CommandLineError(reason: .unknownOption(word))
            }
            guard cell.parameter.takesValue else {
                cell.set(true)
                continue
            }
            let value = letters.first == "=" ? letters.dropFirst() : letters.isEmpty ? nil : letters
            return try readValues(of: cell, "-\(letter)", value.map(String.init), &rest)
        }
    }

    /// Returns true for `-` and one ASCII letter.
    private func isLetter(_ word: String) -> Bool {
        let scalars = word.unicodeScalars
        guard scalars.count == 2, let letter = scalars.last else { return false }
        return letter.isASCII && letter.properties.isAlphabetic
    }

    /// Returns true for an option with its number, such as `-n5`.
    private func isNumbered(_ word: String) -> Bool {
        let letters = word.dropFirst()
        return letters.dropFirst().utf8.allSatisfy(Self.isDigit)
            && cells.contains { $0.parameter.takesValue && $0.parameter.isNamed(letters.first ?? "-") }
    }

    private func readValues(
        of cell: ParameterCell, _ name: String, _ given: String?, _ rest: inout ArraySlice<String>
    ) throws {
        func next() -> String? {
            guard let word = rest.first, !Self.looksLikeOption(word) else { return nil }
            return rest.popFirst()
        }
        guard let value = given ?? next() else {
            throw CommandLineError(
                reason: .missingValue(cell.parameter.written(name)), help: cell.parameter.line(name))
        }
        try set(cell, to: value, name)
        guard given == nil else { return }
        for _ in 1..<cell.parameter.upTo {
            guard let value = next() else { return }
            try set(cell, to: value, name)
        }
    }

    private func set(_ cell: ParameterCell, to value: String, _ name: String) throws {
        let advice: String
        do {
            if try cell.takeWord(value) { return }
            advice = cell.described.values.choice
        } catch {
            advice = "\(error)"
        }
        throw CommandLineError(
            reason: .invalid(value: value, cell.parameter.written(name), advice: advice),
            help: cell.parameter.line(name))
    }

    /// Gives the words without a name to the arguments.
    private func assign() throws {
        var rest = arguments[...]
        for cell in cells where cell.parameter.form == .argument {
            repeat {
                guard let word = rest.popFirst() else { return }
                try set(cell, to: word, "")
            } while cell.parameter.isRepeated
        }
        guard rest.isEmpty else { throw CommandLineError(reason: .unexpected(Array(rest))) }
    }
}

extension Parameter {
    /// Returns true if this is one of the long names, with its dashes.
    fileprivate func isNamed(_ written: String) -> Bool {
        guard form != .argument else { return false }
        let name = written.dropFirst(2)
        guard name.utf8.count > 1 else { return false }
        return name == self.name || aliases.contains { name == $0 }
            || form == .invertedFlag && name.utf8.starts(with: "no-".utf8) && name.dropFirst(3) == self.name
    }

    fileprivate func isNamed(_ letter: Character) -> Bool {
        guard form != .argument else { return false }
        return short == letter || name.utf8.count == 1 && name.first == letter
    }

    /// The parameter's line of help in an error.
    fileprivate func line(_ name: String) -> String { "\(written(name))  \(help)" }
}

extension [String] {
    /// The advice to use one of these values; empty for none.
    fileprivate var choice: String {
        guard count > 1, let last else { return first.map { "use \($0)" } ?? "" }
        return "use \(dropLast().joined(separator: ", ")) or \(last)"
    }
}
