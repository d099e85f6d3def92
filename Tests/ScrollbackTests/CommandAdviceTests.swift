import ChatModel
import Foundation
import Options
import Testing

@testable import Rendering
@testable import Scrollback

/// Tests the advice of a refused command line, and the commands that follow a page.
struct CommandAdviceTests {
    @Test(arguments: [
        (["history", "x", "--bfore", "1h"], "before"), (["search", "x", "--sinc", "1d"], "since"),
        (["archive", "check", "--formt", "json"], "format"), (["rooms", "--hepl"], "help"),
        (["rooms", "--since", "1d"], nil),
        (["users", "--limit", "5"], nil), (["history", "x", "--size", "5"], nil), (["status", "--room", "x"], nil),
        (["gaps", "--sort", "x"], nil),
    ])
    func `an unknown option gets a suggestion only if one is near`(arguments: [String], nearest: String?) throws {
        let error = try #require(throws: (any Error).self) { try ScrollbackCommand.parseAsRoot(arguments) }
        let message = CommandPath(ScrollbackCommand.self, arguments).text(of: error)
        let option = try #require(arguments.last { $0.hasPrefix("--") })
        let suggestion = nearest.map { "; did you mean '--\($0)'?" } ?? ""
        #expect(message.hasPrefix("unknown option '\(option)'\(suggestion)\nUsage: scrollback "))
    }

    @Test(arguments: [
        (["serve", "--port", "9000"], "the address is --listen HOST:PORT, such as --listen 127.0.0.1:9000"),
        (["serve", "--port=9000"], "the address is --listen HOST:PORT, such as --listen 127.0.0.1:9000"),
        (["serve", "-p", "http"], "the address is --listen HOST:PORT, such as --listen 127.0.0.1:8080"),
        (["serve", "--host", "10.0.0.1"], "the address is --listen HOST:PORT, such as --listen 10.0.0.1:8042"),
        (["serve", "--bind", "a b"], "the address is --listen HOST:PORT, such as --listen 127.0.0.1:8042"),
        (["rooms", "--json"], "the format is --format, such as --format jsonl"),
        (["history", "--room", "lobby"], "the room is a word without an option"),
        (["search", "x", "--room", "lobby"], "for a room, add a word such as in:lobby"),
        (["search", "x", "--room", "#다른방"], "for a room, add a word such as in:#다른방"),
        (["search", "x", "--room", "a b"], "for a room, add a word such as in:lobby"),
        (["search", "x", "--from", "bob"], "for a sender, add a word such as from:bob"),
        (["search", "x", "--from", "민수"], "for a sender, add a word such as from:민수"),
        (["gaps", "--from", "1d"], "the earliest time is --after TIME"),
        (["history", "x", "--lines", "5"], "the number is -n NUMBER"),
        (["archive", "erase", "x", "--yes"], "the command does it with --execute"),
    ])
    func `another program's option gets this program's equivalent`(arguments: [String], advice: String) throws {
        let error = try #require(throws: (any Error).self) { try ScrollbackCommand.parseAsRoot(arguments) }
        let message = CommandPath(ScrollbackCommand.self, arguments).text(of: error)
        let option = try #require(arguments.last { $0.hasPrefix("-") }).prefix { $0 != "=" }
        #expect(message.hasPrefix("unknown option '\(option)'; \(advice)\nUsage: scrollback "), "\(message)")
    }

    @Test func `each equivalent of another program's option exists in a command`() {
        let parameters = CommandPath(ScrollbackCommand.self, []).all.flatMap(\.parameters)
        let known = Set(parameters.flatMap { [$0.name, "<\($0.valueName)>"] + $0.aliases })
        #expect(OptionHabit.table.map(\.needs).filter { !known.contains($0) }.isEmpty)
    }

    @Test(arguments: [
        (["whatsapp/Trip 2026"], "unexpected argument 'whatsapp/Trip 2026'"),
        (["a", "b"], "2 unexpected arguments: 'a', 'b'"),
    ])
    func `a stray word of export gets the options for an account and a room`(words: [String], refusal: String) throws {
        let arguments = ["export", "-o", "out"] + words
        let error = try #require(throws: (any Error).self) { try ScrollbackCommand.parseAsRoot(arguments) }
        let message = CommandPath(ScrollbackCommand.self, arguments).text(of: error)
        let advice = "; choose an account with -a NAME, and its rooms with --room NAME"
        #expect(message.hasPrefix("\(refusal)\(advice)\nUsage: scrollback export "), "\(message)")
    }

    @Test(arguments: [["histroy", "x"], ["help", "histroy"]])
    func `a mistyped command gets the nearest name`(arguments: [String]) throws {
        let error = try #require(throws: CommandLineError.self) { try ScrollbackCommand.parseAsRoot(arguments) }
        let message = CommandPath(ScrollbackCommand.self, arguments).text(of: error)
        #expect(message.hasPrefix("no command \"histroy\"; did you mean \"history\"?\n"))
        #expect(ExitCode(for: error).rawValue == 64)
    }

    @Test func `--version after a command gets the right form`() throws {
        let arguments = ["history", "x", "--version"]
        let error = try #require(throws: CommandLineError.self) { try ScrollbackCommand.parseAsRoot(arguments) }
        let message = CommandPath(ScrollbackCommand.self, arguments).text(of: error)
        #expect(message.hasPrefix("unknown option '--version'; \"scrollback --version\" shows the version\n"))
    }

    @Test func `an option with one dash gets the form with two`() throws {
        let arguments = ["history", "x", "-format", "json"]
        let error = try #require(throws: CommandLineError.self) { try ScrollbackCommand.parseAsRoot(arguments) }
        let message = CommandPath(ScrollbackCommand.self, arguments).text(of: error)
        #expect(message.hasPrefix("unknown option '-format'; did you mean '--format'?\n"))
    }

    @Test(arguments: [
        (["--data", "X", "import", "x y.log", "-a", "old"], "import --data X 'x y.log' -a old"),
        (["--data=X", "--utc", "history", "lobby"], "history --data=X --utc lobby"),
        (["--data", "history", "import", "x"], "import --data history x"),
        (["-a", "old", "archive", "check", "--format", "json"], "archive check -a old --format json"),
        (["archive", "--data", "X", "check", "old"], "archive check --data X old"),
        (["--data", "X", "search", "--", "-x"], "search --data X -- -x"),
    ])
    func `options before the command get the corrected order`(arguments: [String], typed: String) throws {
        let error = try #require(throws: CommandLineError.self) { try ScrollbackCommand.parseAsRoot(arguments) }
        let message = CommandPath(ScrollbackCommand.self, arguments).text(of: error)
        #expect(message.hasPrefix("options follow the command: scrollback \(typed)\nUsage: "), "\(message)")
    }

    @Test func `the next command keeps the given options`() throws {
        let command = try HistoryCommand.parse([
            "lobby", "--data", "my data", "-n", "10", "--hide", "joins", "--names", "now", "--utc", "--format", "jsonl",
            "--ids", "--unfold", "--no-pager", "--hide", "bots",
        ])
        let next = NextCommand(subject: ["demo/lobby"], options: command.page.given + command.reader.given)
        #expect(
            next.older(MessageID(sampleTime)) == """
                older: scrollback history demo/lobby --before 2026-11-21T06:23:11.123456Z -n 10 --hide bots,joins \
                --unfold --ids --names now --data 'my data' --format jsonl --utc --no-pager
                """)
    }

    @Test(arguments: [("demo", "-a demo"), ("my net", "-a 'my net'"), ("-dash", "--account=-dash")])
    func `an account name in a suggested command is read back as the same name`(name: String, shown: String) throws {
        let words = NextCommand.account(name)
        #expect(NextCommand.line(["history"] + words) == "scrollback history \(shown)")
        #expect(try HistoryCommand.parse(words).account == [name])
        #expect(try ShowCommand.parse([MessageID(sampleTime).description] + words).account == name)
    }

    @Test(arguments: [
        ("demo/#swift", "'demo/#swift'"), ("it's", #"'it'\''s'"#), ("demo/우리집", "demo/우리집"), ("", "''"),
        ("a b", "'a b'"), ("$(rm)", "'$(rm)'"), ("~x", "'~x'"), ("\u{1B}[2J", #"'\u{1B}[2J'"#),
    ])
    func `a cursor's command is quoted for the shell`(word: String, quoted: String) {
        let line = NextCommand(subject: [word], options: []).newer(MessageID(sampleTime))
        #expect(line == "newer: scrollback history \(quoted) --after 2026-11-21T06:23:11.123456Z")
    }

    @Test func `an accented quote doesn't end a quoted word`() {
        let line = NextCommand(subject: ["x'\u{301};touch pwned;'"], options: []).newer(MessageID(sampleTime))
        let start = "newer: scrollback history 'x'\\''\u{301};touch pwned;'\\''' --after"
        #expect(line.unicodeScalars.starts(with: start.unicodeScalars))
    }

    @Test(arguments: [
        ("histroy", "history"), ("ROMS", "rooms"), ("framng", "framing"), ("xyz", nil), ("", nil),
    ])
    func `the nearest word is the likely one`(word: String, nearest: String?) {
        #expect(Nearest.to(word, among: ["history", "rooms", "framing", "status"]) == nearest)
    }
}
