import Options
import Testing

/// The words of a command line, as a command reads them.
struct WordReaderTests {
    @Test(arguments: [
        ["--color", "blue", "kitchen"], ["--color=blue", "kitchen"], ["-c", "blue", "kitchen"], ["-cblue", "kitchen"],
        ["-c=blue", "kitchen"], ["kitchen", "-c", "red", "--color", "blue"], ["--color", "blue", "--", "kitchen"],
    ])
    func `an option can be written in each form, before and after arguments`(words: [String]) throws {
        let command = try PaintCommand.parse(words)
        #expect(command.color == .blue && command.walls == ["kitchen"])
    }

    @Test func `without words, each property has its default`() throws {
        let command = try PaintCommand.parse([])
        #expect(command.color == .red && command.coats == nil && command.glossy == nil && command.zone == nil)
        #expect(command.walls.isEmpty && command.helpers.isEmpty && !command.wet && !command.quick)
    }

    @Test(arguments: [(["-n5"], 5), (["-n", "5"], 5), (["-n=5"], 5), (["--coats=5"], 5), (["-n", "-5"], -5)])
    func `a number can follow its letter directly, and can be negative`(words: [String], coats: Int) throws {
        #expect(try PaintCommand.parse(words).coats == coats)
    }

    @Test(arguments: ["-09:30", "-9", "+09:00", "-", "", "a=b", "우리 집"])
    func `a value can be a negative time, a dash, empty, or in any script`(value: String) throws {
        #expect(try PaintCommand.parse(["--zone", value]).zone == value)
        #expect(try PaintCommand.parse(["--zone=\(value)"]).zone == value)
    }

    @Test func `a value that looks like an option needs an equals sign`() throws {
        #expect(try PaintCommand.parse(["--helper=-x", "--zone=--y"]).helpers == ["-x"])
    }

    @Test func `letters of flags can be joined, and the last can take a value`() throws {
        let command = try PaintCommand.parse(["-wn3", "hall"])
        #expect(command.wet && command.coats == 3 && command.walls == ["hall"])
        #expect(try PaintCommand.parse(["-qcgreen"]).color == .green)
    }

    @Test(arguments: [([], nil), (["--glossy"], true), (["--no-glossy"], false), (["--glossy", "--no-glossy"], false)])
    func `the last of a flag and its opposite counts`(words: [String], glossy: Bool?) throws {
        #expect(try PaintCommand.parse(words).glossy == glossy)
    }

    @Test func `an option can be repeated, and takes several values up to its number`() throws {
        #expect(try PaintCommand.parse(["-a", "x", "--helper", "y", "-az"]).helpers == ["x", "y", "z"])
        #expect(try PaintCommand.parse(["--sizes", "3", "--sizes=1"]).sizes == [3, 1])
        let command = try PaintCommand.parse(["--between", "1", "2", "hall", "--from=3"])
        #expect(command.between == ["1", "2", "3"] && command.walls == ["hall"])
        #expect(try PaintCommand.parse(["hall", "--between", "1", "-w"]).between == ["1"])
    }

    @Test func `after two dashes, every word is an argument`() throws {
        #expect(try PaintCommand.parse(["a", "--", "--wet", "--", "-h"]).walls == ["a", "--wet", "--", "-h"])
    }

    @Test func `arguments get words in order, and the last gets the rest`() throws {
        let command = try BuildCommand.parse(["-o", "garden", "north", "a", "b"])
        #expect(command.wall == "north" && command.stones == ["a", "b"] && command.output == "garden")
    }

    @Test(arguments: [
        ["--bogus"], ["--bogus=1"], ["-z"], ["-wz"], ["-color"], ["---wet"], ["--w"], ["--no-wet"], ["-no-glossy"],
    ])
    func `an unknown option is refused by name`(words: [String]) throws {
        let error = try #require(throws: CommandLineError.self) { try PaintCommand.parse(words) }
        let name = String(words[0].prefix { $0 != "=" })
        #expect(error.reason == .unknownOption(name))
        #expect("\(error)" == "unknown option '\(name)'")
    }

    @Test(arguments: [
        (["-c"], "missing value for '-c <color>'", "-c <color>  The colour."),
        (["--color", "--wet"], "missing value for '--color <color>'", "--color <color>  The colour."),
        (["--from", "-w"], "missing value for '--from <time>'", "--from <time>  Two times."),
        (["--color", "pink"], "the value 'pink' is invalid for '--color <color>': use red, green or blue", nil),
        (["-n", "many"], "the value 'many' is invalid for '-n <number>'", "-n <number>  The number of coats."),
        (["-n99999999999999999999"], "the value '99999999999999999999' is invalid for '-n <number>'", nil),
        (["--width=0"], "the value '0' is invalid for '--width <width>': use a number from 1 on", nil),
        (["--wet=yes"], "the option '--wet' takes no value, not 'yes'", ""),
    ])
    func `a mistake in a value is explained with the option's help`(
        words: [String], text: String, help: String?
    ) throws {
        let error = try #require(throws: CommandLineError.self) { try PaintCommand.parse(words) }
        #expect("\(error)" == text)
        if let help { #expect(error.help == help) }
    }

    @Test(arguments: [
        (["-n=", "5"], "the value '' is invalid for '-n <number>'"),
        (["--speed=0"], "the value '0' is invalid for '--speed <speed>': use 1 to 9"),
        (["--speed=x"], "the value 'x' is invalid for '--speed <speed>': use 1 to 9"),
        (["--help=wet"], "the option '--help' takes no value, not 'wet'"), (["--=5"], "unknown option '--=5'"),
    ])
    func `a value after an equals sign is checked, even an empty one`(words: [String], text: String) throws {
        let error = try #require(throws: CommandLineError.self) { try PaintCommand.parse(words) }
        #expect("\(error)" == text)
    }

    @Test(arguments: [
        ([], "missing expected argument '<wall>'"), (["a"], "missing expected argument '<stone> ...'"),
        (["a", "b"], "missing expected argument '--output <place>'"),
    ])
    func `a missing required parameter is named`(words: [String], text: String) throws {
        let error = try #require(throws: CommandLineError.self) { try BuildCommand.parse(words) }
        #expect("\(error)" == text)
    }

    @Test func `surplus words are refused`() throws {
        let one = try #require(throws: CommandLineError.self) { try StoreAddCommand.parse(["a", "b"]) }
        #expect("\(one)" == "unexpected argument 'b'")
        let two = try #require(throws: CommandLineError.self) { try StoreAddCommand.parse(["a", "b", "c"]) }
        #expect("\(two)" == "2 unexpected arguments: 'b', 'c'")
    }

    @Test func `the checks of a group precede those of its command`() throws {
        let group = try #require(throws: ValidationError.self) {
            try PaintCommand.parse(["-w", "-q", "--data", "nowhere"])
        }
        #expect(group.message == "no folder \"nowhere\"")
        let command = try #require(throws: ValidationError.self) { try PaintCommand.parse(["-wq"]) }
        #expect(command.message == "--wet and --quick can't be combined")
    }

    @Test(arguments: [
        ["-h"], ["--help"], ["hall", "--bogus", "--help"], ["--wet", "-c", "pink", "-h"], ["--color", "-h"],
        ["-wqh"],
    ])
    func `help is shown even after a mistake`(words: [String]) {
        #expect(throws: CleanExit.helpRequest) { try PaintCommand.parse(words) }
    }

    @Test func `no help is shown for a word after two dashes`() throws {
        #expect(throws: CommandLineError.self) { try PaintCommand.parse(["--bogus", "--", "-h"]) }
    }

    // MARK: Words that look like options

    @Test(arguments: [
        (["grub", "-서버"], ["grub", "-서버"]), (["-test", "grub"], ["-test", "grub"]), (["-i", "grub"], ["grub"]),
        (["grub", "-hi"], ["grub", "-hi"]), (["-ic", "-nice", "-n5x"], ["-ic", "-nice", "-n5x"]),
        (["grub", "--", "-v"], ["grub", "-v"]), (["-é", "-5", "grub"], ["-é", "-5", "grub"]),
        (["-\u{65}\u{301}"], ["-\u{65}\u{301}"]), (["grub", "-"], ["grub", "-"]), (["-n5", "-n", "6", "-a", "x"], []),
        (["--between", "1", "2", "-bot", "x"], ["-bot", "x"]), (["--between", "1", "-bot"], ["-bot"]),
    ])
    func `a command can accept words that are not its options`(words: [String], taken: [String]) throws {
        #expect(try FindCommand.parse(words).words == taken)
    }

    @Test(arguments: ["v", "Z", "x"])
    func `one ASCII letter after a dash is still an option`(letter: String) throws {
        let error = try #require(throws: CommandLineError.self) { try FindCommand.parse(["x", "-\(letter)"]) }
        #expect(error.reason == .unknownOption("-\(letter)"))
    }

    // MARK: Properties

    @Test func `setting a property changes only that copy of a command`() throws {
        let command = try PaintCommand.parse(["hall"])
        var copy = command
        copy.walls += ["stairs"]
        copy.wet = true
        #expect(command.walls == ["hall"] && !command.wet)
        #expect(copy.walls == ["hall", "stairs"] && copy.wet)
    }

    @Test func `a command made without words has its defaults`() {
        let command = PaintCommand()
        #expect(command.color == .red && command.place.data == nil)
    }

    @Test(arguments: 0..<200)
    func `the written form of any values is read back as these values`(seed: UInt64) throws {
        var random = Written(seed: seed)
        let (words, expected) = random.commandLine()
        let command = try PaintCommand.parse(words)
        #expect(command.walls == expected.walls, "\(words)")
        #expect(command.color == expected.color && command.coats == expected.coats, "\(words)")
        #expect(command.helpers == expected.helpers && command.zone == expected.zone, "\(words)")
        #expect(command.wet == expected.wet && command.glossy == expected.glossy, "\(words)")
        #expect(command.place.data == expected.place.data, "\(words)")
    }
}

/// Random command lines of ``PaintCommand``.
private struct Written: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static let texts = [
        "a", "", "a b", "-", "-09:30", "--", "--wet", "-x", "=", "a=b", "우리 집", "#é", "-h", "\n",
    ]

    private mutating func text() -> String { Self.texts.randomElement(using: &self) ?? "" }

    private mutating func option(_ long: String, _ short: String?, _ value: String) -> [String] {
        // A word of its own must not look like an option.
        let isPlain = value == "-" || !value.hasPrefix("-") || value.dropFirst().first?.isNumber == true
        let joined = ["--\(long)=\(value)"]
        switch Int.random(in: 0..<4, using: &self) {
        case 0: return isPlain ? ["--\(long)", value] : joined
        case 1: return short.flatMap { isPlain ? ["-\($0)", value] : nil } ?? joined
        case 2: return short.flatMap { value.isEmpty ? nil : ["-\($0)=\(value)"] } ?? joined
        default: return joined
        }
    }

    mutating func commandLine() -> (words: [String], command: PaintCommand) {
        var (parts, command): ([[String]], PaintCommand) = ([], PaintCommand())
        if let color = Bool.random(using: &self) ? Color.allCases.randomElement(using: &self) : nil {
            command.color = color
            parts.append(option("color", "c", color.rawValue))
        }
        if Bool.random(using: &self) {
            let coats = Int.random(in: -9...99, using: &self)
            command.coats = coats
            parts.append(option("coats", "n", String(coats)))
        }
        for _ in 0..<Int.random(in: 0..<3, using: &self) {
            let helper = text()
            command.helpers.append(helper)
            parts.append(option("helper", "a", helper))
        }
        if Bool.random(using: &self) {
            let (zone, data) = (text(), text())
            (command.zone, command.place.data) = (zone, data)
            parts += [option("zone", nil, zone), option("data", nil, data)]
        }
        if Bool.random(using: &self) {
            (command.wet, command.glossy) = (true, false)
            parts += [["-w"], ["--no-glossy"]]
        }
        let walls = (0..<Int.random(in: 0..<4, using: &self)).map { _ in text() }
        command.walls = walls
        // The order of helpers counts; that of other options does not.
        let helpers = parts.filter { $0[0].hasPrefix("--helper") || $0[0].hasPrefix("-a") }
        let others = parts.filter { !helpers.contains($0) }.shuffled(using: &self)
        return ((others + helpers).flatMap(\.self) + ["--"] + walls, command)
    }
}
