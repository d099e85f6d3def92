import Testing

@testable import Options

/// The commands below a program, their usage and their help.
struct CommandPathTests {
    @Test func `the first words name a command, and the rest are its arguments`() {
        let path = CommandPath(HouseCommand.self, ["store", "list", "list", "x"])
        #expect(path.name == "house store list" && Array(path.rest) == ["list", "x"])
        #expect(path.words == "store list ")
    }

    @Test func `a word that names no command of a group goes to the default command`() throws {
        let command = try HouseCommand.parseAsRoot(["store", "lamp"])
        #expect((command as? StoreAddCommand)?.thing == "lamp")
        #expect(CommandPath(HouseCommand.self, ["store", "--help"]).name == "house store")
        #expect(try HouseCommand.parseAsRoot(["store", "add", "list"]) is StoreAddCommand)
    }

    @Test(arguments: [
        ["help"], ["help", "paint"], ["paint", "--help"], ["store", "-h"], ["help", "store", "list"], ["-h"],
        ["help", "paint", "hall"], ["help", "store", "add", "--bogus"], ["store", "help", "add", "lamp"],
        ["help", "help", "store"],
    ])
    func `help can be requested before and after a command`(words: [String]) {
        #expect(throws: CleanExit.helpRequest) { try HouseCommand.parseAsRoot(words) }
    }

    @Test(arguments: [["paint", "wall"], ["find", "-n", "1"], ["store", "--unknown"], ["store", "add", "lamp"]])
    func `no command runs after help, even with further words`(words: [String]) {
        #expect(throws: CleanExit.helpRequest) { try HouseCommand.parseAsRoot(["help"] + words) }
    }

    @Test func `a program without words shows its help, or its version on request`() async throws {
        var program = try HouseCommand.parseAsRoot([])
        await #expect(throws: CleanExit.helpRequest) { try await program.run() }
        for option in ["-V", "--version"] {
            #expect(throws: CleanExit.message("house 1")) { try HouseCommand.parseAsRoot([option]) }
        }
    }

    @Test(arguments: [(["pant"], "no command \"pant\""), (["help", "pant"], "no command \"pant\"")])
    func `an unknown command is refused`(words: [String], text: String) throws {
        let error = try #require(throws: CommandLineError.self) { try HouseCommand.parseAsRoot(words) }
        #expect("\(error)" == text)
    }

    @Test func `each error has its exit status`() {
        #expect(ExitCode(for: ValidationError("x")) == .validationFailure)
        #expect(ExitCode(for: CommandLineError(reason: .unexpected(["x"]))).rawValue == 64)
        #expect(ExitCode(for: CleanExit.helpRequest) == .success && ExitCode(for: ExitCode(2)).rawValue == 2)
        #expect(ExitCode(for: CancellationError()) == .failure)
    }

    @Test func `an error is shown with advice, the parameter's help and the usage`() throws {
        let path = CommandPath(HouseCommand.self, ["find", "-n", "x"])
        let error = try #require(throws: CommandLineError.self) { try path.makeCommand() }
        #expect(
            path.message(for: error, advice: "use a number") == """
                the value 'x' is invalid for '-n <number>'; use a number
                Help:  -n <number>  The number.
                Usage: house find [<word> ...] [--limit <number>] [--between <from> <to>] [--account <account>] [-i]
                  See 'house find --help' for more information.
                """)
    }

    @Test func `the usage of a command can have several lines`() {
        let message = CommandPath(HouseCommand.self, ["store", "add"]).message(for: ValidationError("x"))
        #expect(message.contains("\nUsage: house store add <thing>\n       house store list\n"))
    }

    @Test func `the usage of many parameters names the required ones`() {
        #expect(
            CommandPath(HouseCommand.self, ["paint"]).help.usage == "house paint [<options>] [<wall> ...]")
        #expect(
            CommandPath(HouseCommand.self, ["build"]).help.usage
                == "house build <wall> <stone> ... --output <place>")
    }

    @Test func `help lists arguments, titled groups, options and commands`() {
        #expect(
            CommandPath(HouseCommand.self, ["paint"]).help(columns: 60) == """
                OVERVIEW: Paint walls.

                EXAMPLE: house paint kitchen

                USAGE: house paint [<options>] [<wall> ...]

                ARGUMENTS:
                  <wall>                  The walls.

                WHERE:
                  --data <folder>         The data folder.
                        Default: here.
                  --config <file>         The file.

                OPTIONS:
                  -c, --color <color>     The colour. (values: red, green,
                                          blue; default: red)
                  -n, --coats <number>    The number of coats.
                  --between, --from <time>
                                          Two times.
                  -a, --helper <helper>   A helper; may be repeated.
                  --zone <zone>           The zone.
                  --speed <speed>         The speed. (default: 3)
                  --width <width>         The width of the brush.
                  --sizes <sizes>         Sizes.
                  -w, --wet               Paint on wet walls.
                  -q, --quick             Be quick.
                  --glossy/--no-glossy    Shine.
                  -h, --help              Show help information.

                """)
        #expect(
            CommandPath(HouseCommand.self, []).help(columns: 80) == """
                OVERVIEW: Care for a house.

                USAGE: house [--version] <subcommand>

                OPTIONS:
                  -V, --version           Show the version.
                  -h, --help              Show help information.

                SUBCOMMANDS:
                  store                   Keep things.

                WALLS SUBCOMMANDS:
                  paint                   Paint walls.
                  build                   Build a wall.
                  find                    Find things.

                  See 'house help <subcommand>' for detailed help.
                """)
        #expect(CommandPath(HouseCommand.self, ["help", "store"]).help(columns: 80).contains("  add (default)  "))
    }

    @Test(arguments: [27, 40, 1000])
    func `help fits any width`(columns: Int) {
        for path in CommandPath(HouseCommand.self, []).all {
            let lines = path.help(columns: columns).split(separator: "\n").filter { !$0.hasPrefix("USAGE") }
            #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
        }
    }

    @Test func `every command is found below the program`() {
        #expect(
            CommandPath(HouseCommand.self, []).all.map(\.words)
                == ["", "store ", "store add ", "store list ", "paint ", "build ", "find "])
    }
}
