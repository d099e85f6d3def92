import Options

enum Color: String, CaseIterable, ExpressibleByArgument, Sendable { case red, green, blue }

struct PlaceOptions: ParsableArguments {
    @Option("data", help: "The data folder.", discussion: "Default: here.", valueName: "folder", completion: .directory)
    var data: String?

    @Option("config", help: "The file.", valueName: "file", completion: .file(extensions: ["toml"])) var config: String?

    func validate() throws {
        if data == "nowhere" { throw ValidationError("no folder \"nowhere\"") }
    }
}

/// A command with a parameter of each form.
struct PaintCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "paint", abstract: "Paint walls.", discussion: "EXAMPLE: house paint kitchen")

    @Argument("wall", help: "The walls.", completion: .rooms) var walls: [String] = []
    @Option("color", short: "c", help: "The colour.") var color = Color.red
    @Option("coats", short: "n", help: "The number of coats.", valueName: "number") var coats: Int?
    @Option("between", aliases: ["from"], upTo: 2, help: "Two times.", valueName: "time") var between: [String] = []
    @Option("helper", short: "a", help: "A helper; may be repeated.", completion: .accounts) var helpers: [String] = []
    @Option("zone", help: "The zone.") var zone: String?
    @Option(Parameter("speed", .number(1...9), "The speed.")) var speed = 3
    @Option("width", help: "The width of the brush.", valueName: "width", transform: Self.width) var width: Int?
    @Option("sizes", help: "Sizes.", transform: Self.width) var sizes: [Int] = []
    @Flag("wet", short: "w", help: "Paint on wet walls.") var wet = false
    @Flag("quick", short: "q", help: "Be quick.") var quick = false
    @Flag("glossy", inversion: .prefixedNo, help: "Shine.") var glossy: Bool?
    @OptionGroup(title: "Where") var place: PlaceOptions

    static func width(_ text: String) throws -> Int {
        guard let width = Int(text), width > 0 else { throw ValidationError("use a number from 1 on") }
        return width
    }

    func validate() throws {
        if wet, quick { throw ValidationError("--wet and --quick can't be combined") }
    }
}

/// A command with parameters that must be given.
struct BuildCommand: Command {
    static let configuration = CommandConfiguration(commandName: "build", abstract: "Build a wall.")

    @Argument("wall", help: "The wall.") var wall: String
    @Argument("stone", help: "The stones.") var stones: [String]
    @Option("output", short: "o", help: "The place.", valueName: "place") var output: String
}

/// A command that takes words with `-` at their beginning.
struct FindCommand: Command {
    static let configuration = CommandConfiguration(commandName: "find", abstract: "Find things.")

    @Argument("word", help: "The words.", takesUnknownOptions: true) var words: [String] = []
    @Option("limit", short: "n", help: "The number.", valueName: "number") var limit: Int?
    @Option("between", upTo: 2, help: "Two times.", valueName: "from to") var between: [String] = []
    @Option("account", short: "a", help: "An account.") var account: String?
    @Flag("i", help: "Ignored.") var ignoresCase = false
}

struct StoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Keep things.", subcommands: [StoreAddCommand.self, StoreListCommand.self],
        defaultSubcommand: StoreAddCommand.self)
}

struct StoreAddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a thing.", usage: "house store add <thing>\nhouse store list")

    @Argument("thing", help: "The thing.") var thing: String?
}

struct StoreListCommand: Command {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the things.")
}

struct HouseCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "house", abstract: "Care for a house.",
        subcommands: [StoreCommand.self],
        groupedSubcommands: [
            CommandGroup(name: "Walls", subcommands: [PaintCommand.self, BuildCommand.self, FindCommand.self])
        ])

    @Flag("version", short: "V", help: "Show the version.") var version = false

    func validate() throws {
        if version { throw CleanExit.message("house 1") }
    }
}
