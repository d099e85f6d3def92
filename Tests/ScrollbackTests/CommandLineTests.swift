import ChatModel
import Foundation
import Options
import Testing

@testable import Rendering
@testable import Scrollback

/// Valid and invalid command lines.
struct CommandLineTests {
    @Test(arguments: [
        ["history", "lobby"], ["history", "--all"], ["history", "-a", "demo", "-a", "work"],
        ["history", "--all", "-a", "demo"], ["mark-read", "--all", "-a", "demo"],
        ["import", "x.log", "--timezone", "-09:30"], ["import", "--timezone", "-09:30", "x.log", "-a", "old"],
        ["import", "x.log", "--timezone=-09:30"],
        ["history", "12", "-n", "1"], ["history", "12", "-n5"], ["search", "deploy", "-n5"],
        ["history", "lobby", "--between", "2026", "2027"], ["history", "--between", "2026", "2027", "lobby"],
        ["search", "--by", "hour"], ["search", "x", "--by", "hour,user,weekday", "-n", "5"],
        ["search", "deploy", "--between", "2026", "2027"], ["search", "--between", "2027", "2026", "deploy", "서버"],
        ["search", "deploy", "--between", "2026", "2027", "--sort", "relevance"],
        ["search", "--between", "2026", "2027", "--count"],
        ["history", "lobby", "--after", "1h", "-f"], ["tail"], ["tail", "-f", "--format", "jsonl"],
        ["tail", "--feed", "--follow", "--after", "e:0", "-a", "x", "--names", "now"], ["tail", "-f", "x", "-q", "y"],
        ["gaps"], ["history", "lobby", "--day", "2026-11-21"], ["history", "--all", "--day", "today", "-n", "all"],
        ["history", "lobby", "--day", "어제", "--utc", "--hide", "joins"],
        ["status", "--format", "json"], ["rooms", "--data", "x", "--utc", "--no-pager"], ["tail", "--ids", "--unfold"],
        ["listen", "--ack-fd", "3"], ["config", "check"], ["config", "show"], ["config", "path"], ["config", "edit"],
        ["init"],
        ["listen", "--log-level", "debug", "--log-format", "json"], ["room-server", "--framing", "nul", "--port", "0"],
        ["room-server", "--revision", "2021-04"], ["init", "streamchat"],
        ["unread"], ["unread", "lobby", "--all"], ["mark-read", "lobby"],
        ["mark-read", "lobby", "--to", "2h", "--utc"],
        ["history", "lobby", "--unread"], ["history", "lobby", "--unread", "-f"], ["accounts"],
        ["users", "lobby", "-a", "demo"],
        ["show", "2026-11-21T06:23:11.123456Z", "-a", "demo"],
        ["show", "2026-11-21T06:23:11.123456Z", "--thread", "-n", "all", "--ids", "--names", "now"],
        ["show", "2026-11-21T06:23:11.123456Z", "--thread", "-n5", "--after", "2026-11-21T06:23:11.123456Z"],
        ["chat", "tcp://127.0.0.1:5080", "--name", "alice"],
        ["chat", "tcp://[::1]:5080", "--name", "민수", "--framing", "end", "--revision", "2021-04", "--stay", "--utc"],
    ])
    func `each valid command line is accepted`(arguments: [String]) throws {
        #expect(throws: Never.self) { try ScrollbackCommand.parseAsRoot(arguments) }
    }

    @Test(arguments: [
        (["history"], "needs quotes in a shell"),
        (["history", "x", "--before", "1h", "--oldest"], "--before and --oldest can't be combined"),
        (["history", "x", "--between", "2026"], "takes two times"),
        (["history", "x", "--between", "1", "2", "3"], "unexpected argument '3'"),
        (["history", "x", "--between", "1", "2", "--between", "3"], "takes two times"),
        (["history", "x", "--before", "soon"], "as a time"),
        (["search", "x", "--by", "minute"], "use room, user, year, month, day, weekday, hour, or up to 3 of them"),
        (["search", "x", "--by", "hour,hour"], "such as hour,user"),
        (["search", "x", "--between", "2026"], "--between takes two times, not 1"),
        (
            ["history", "x", "--between", "2026-11-20..2026-11-21"],
            "not 1; write two times: --between 2026-11-20 2026-11-21"
        ),
        (
            ["history", "x", "--day", "2026-11-20..2026-11-21"],
            "is not one time; write two times: --between 2026-11-20"
        ),
        (
            ["search", "--between", "2026-11-20", "2026-11-21"],
            "for all messages of that time: scrollback history --all --between 2026-11-20 2026-11-21"
        ),
        (["search", "-a", "d", "--after", "1h"], "scrollback history -a d --after 1h"),
        (["archive", "delete", "old"], "scrollback archive erase old"), (["archive", "rm"], "archive erase ACCOUNT"),
        (["delete", "old"], "scrollback archive erase old"), (["erase"], "scrollback archive erase ACCOUNT"),
        (["version"], "the version is: scrollback --version"),
        (["search", "x", "--between", "2026", "2026"], "--between takes two different times"),
        (["search", "x", "--between", "2026", "soon"], "as a time"),
        (["search", "x", "--between", "2026", "2027", "--after", "2026"], "--after and --between can't be combined"),
        (["history", "x", "--all"], "--all means every room"),
        (["history", "x", "--all", "-a", "d"], "--all means every room"),
        (["mark-read", "x", "--all", "-a", "d"], "--all means every room"),
        (["import", "x.log", "--timezone", "--room", "x"], "missing value for '--timezone <timezone>'"),
        (["import", "x.log", "--timezone", "-a", "old"], "missing value for '--timezone <timezone>'"),
        (["import", "x.log", "--timezone", "-9"], "no time zone \"-9\""),
        (["import", "x.log", "--timezone"], "missing value for '--timezone <timezone>'"),
        (["history", "-a", "d", "-a", "d"], "named twice"),
        (["history", "x", "-f", "--after", "1h", "--before", "now"], "--follow has no end; remove --before"),
        (["history", "x", "--after", "now", "--before", "1h"], "--after must be earlier than --before"),
        (["history", "x", "--day", "2026-11"], "--day takes one whole day, not \"2026-11\""),
        (["history", "x", "--day", "10:30"], "one whole day"), (["history", "x", "--day", "7d"], "one whole day"),
        (["history", "x", "--day", "2026-11-21T06:23:11.123456Z"], "one whole day"),
        (["history", "x", "--day", "soon"], "as a time"), (["history", "x", "--day", "2026-02-30"], "has 28 days"),
        (["history", "x", "--day", "today", "--after", "1h"], "--after and --day can't be combined"),
        (["history", "x", "--day", "today", "--oldest"], "--day and --oldest can't be combined"),
        (["history", "x", "--day", "today", "--around", "1h"], "--around and --day can't be combined"),
        (["history", "x", "--day", "today", "-f"], "--follow needs --after or --unread"),
        (["history", "x", "-f"], "--follow needs --after or --unread"),
        (["history", "--all", "--unread"], "--unread needs a ROOM"),
        (["history", "x", "--unread", "--oldest"], "can't be combined"), (["mark-read"], "<room>"),
        (["mark-read", "x", "--to", "soon"], "[bad-time]"), (["history", "x", "-n", "0"], "1 to 1000"),
        (["history", "x", "-n", "1001"], "1 to 1000"), (["tail", "-f", "--format", "json"], "use --format jsonl"),
        (["tail", "--feed", "--after", "17"], "use EPOCH:SEQ"),
        (["tail", "--feed", "--after", "e:x"], "use EPOCH:SEQ"),
        (["tail", "--after", "e:1"], "--after needs --feed"), (["tail", "--feed", "lobby"], "replace ROOM with -a"),
        (["tail", "--feed", "-a", "x", "-a", "y", "--after", "e:1"], "name the account with -a"),
        (["tail", "--feed", "-n", "5", "--ids"], "remove -n, --ids"),
        (["tail", "--feed", "-q", "x"], "remove --query"),
        (["tail", "--feed", "--format", "csv"], "use --format jsonl"), (["tail", "-q", "x"], "--query needs -f"),
        (["tail", "-f", "-q", "?!"], "no searchable word"), (["tail", "-f", "-q", "x before:soon"], "as a time"),
        (["tail", "--new"], "--new needs -f"), (["tail", "-f", "-q", "x", "-n", "all"], "-n all shows every"),
        (["room-server", "--port", "65536"], "65535"),
        (["listen", "--log-level", "loud"], "no log level"), (["show", "now"], "is not a message id"),
        (["show", "2026-11-21T06:23:11.123456Z", "-n", "5", "--ids"], "-n, --ids needs --thread"),
        (["show", "2026-11-21T06:23:11.123456Z", "--thread", "-n", "1001"], "1 to 1000"),
        (["show", "2026-11-21T06:23:11.123456Z", "--thread", "--after", "soon"], "as a time"),
        (
            ["show", "2026-11-21T06:23:11.123456Z", "--thread", "--after", "1h", "--before", "2h"],
            "--after must be earlier than --before"
        ),
        (["show", "2026-11-21T06:23:11.123456Z", "--thread", "-n", "all", "--after", "1h"], "-n all shows every"),
        (
            ["search", "x", "--count", "-n", "3", "-C", "2", "--sort", "oldest", "--ids", "--oneline"],
            "--count shows no messages; remove --sort, -C, -n, --ids, --oneline"
        ),
        (["search", "x", "-c", "--hide", "joins"], "remove --hide"),
        (["history", "x", "--hide", "people"], "the value 'people' is invalid for '--hide <what>'"),
        (["search", "--by", "day", "-A1"], "remove -A"),
        (["users", "-a", "d", "-a", "d"], "named twice"),
        (["chat", "localhost", "--name", "alice"], "tcp://HOST:PORT"), (["chat", "tcp://127.0.0.1:5080"], "--name"),
        (["chat", "tcp://127.0.0.1:5080", "--name", "elevenchars"], "1 to 10"),
        (["chat", "tcp://127.0.0.1:5080", "--name", "a::b"], "ends the name"),
    ])
    func `each invalid command line is refused with a reason`(arguments: [String], reason: String) throws {
        let error = try #require(throws: (any Error).self) { try ScrollbackCommand.parseAsRoot(arguments) }
        #expect(ExitCode(for: error).rawValue == 64)
        #expect(CommandPath(ScrollbackCommand.self, arguments).text(of: error).contains(reason))
    }

    @Test(arguments: [
        (["grub", "-서버"], ["grub", "-서버"]), (["-test", "grub"], ["-test", "grub"]), (["-i", "grub"], ["grub"]),
        (["grub", "-n5", "-C", "3"], ["grub"]), (["grub", "-hi"], ["grub", "-hi"]),
        (["grub", "-ic"], ["grub", "-ic"]),
        (["grub", "--", "-v"], ["grub", "-v"]), (["-é", "-5", "grub"], ["-é", "-5", "grub"]),
        (["-\u{65}\u{301}", "grub"], ["-\u{65}\u{301}", "grub"]), (["grub", "-"], ["grub", "-"]),
        (["x", "-nice", "-ca"], ["x", "-nice", "-ca"]),
        (["-ri", "-nil", "-가나", "-r2"], ["-ri", "-nil", "-가나", "-r2"]),
    ])
    func `a word of search can begin with a minus`(arguments: [String], words: [String]) throws {
        #expect(try SearchCommand.parse(arguments).words == words)
    }

    @Test(arguments: ["v", "l", "o", "E", "P", "e", "F", "w", "x", "r", "R", "L", "m", "q", "s", "z", "Z"])
    func `one ASCII letter after a minus is not a word of search`(letter: String) throws {
        let arguments = ["search", "grub", "-\(letter)"]
        let error = try #require(throws: CommandLineError.self) { try ScrollbackCommand.parseAsRoot(arguments) }
        #expect(ExitCode(for: error).rawValue == 64)
        let message = CommandPath(ScrollbackCommand.self, arguments).text(of: error)
        #expect(message.hasPrefix("unknown option '-\(letter)'; "))
        #expect(message.contains("put -- before it: -- -\(letter)\nUsage: "))
    }

    @Test(arguments: [
        ("-ri", true), ("-il", true), ("-rin", true), ("-Ei", true), ("-test", false), ("-nil", true), ("-tea", false),
        ("-ii", false), ("-rino", false), ("-가나", false), ("-r2", false),
    ])
    func `combined options of grep are a word, with a note`(word: String, isNoted: Bool) throws {
        #expect(try SearchCommand.parse(["grub", word]).words == ["grub", word])
        #expect(GrepOption.notes(["grub", word]).isEmpty != isNoted)
        #expect(GrepOption.notes(["grub", "--", word]).isEmpty)
    }

    /// Commands that serve, show a full screen, talk with people, or print a file.
    private static let others: Set = [
        "mcp", "init", "config edit", "listen", "read", "demo", "chat", "room-server",
    ]

    @Test func `each command with an answer has a machine format`() {
        let commands = CommandPath(ScrollbackCommand.self, []).all.filter(\.below.isEmpty)
        let lacking = commands.filter { command in !command.parameters.contains { $0.name == "format" } }
        #expect(Set(lacking.map { $0.words.dropLast() }.map(String.init)).subtracting(Self.others) == [])
    }

    @Test func `an error at run time has the usage of its command`() {
        for (arguments, command) in [(["search", "?!"], "search"), (["archive", "check", "a"], "archive check")] {
            let message = CommandPath(ScrollbackCommand.self, arguments).text(of: ValidationError("nothing to find"))
            #expect(message.hasPrefix("nothing to find\nUsage: scrollback \(command) ["))
        }
    }

    @Test(arguments: ["--data", "--config"], [["serve"], ["history", "x"], ["import", "x"], ["archive", "check"]])
    func `an empty name of a folder or file is refused`(option: String, command: [String]) {
        for words in [[option + "="], [option, ""]] {
            #expect(throws: ValidationError.self) { try ScrollbackCommand.parseAsRoot(command + words) }
        }
    }

    @Test func `the room can follow the two times of between`() throws {
        let command = try HistoryCommand.parse(["--between", "2026", "2027", "lobby"])
        #expect(command.room == "lobby")
        #expect(command.anchors.between == ["2026", "2027"])
    }

    @Test func `words can follow the two times of between, even negated ones`() throws {
        for arguments in [
            ["--between", "2026", "2027", "-bot", "서버", "-n5"],
            ["-n5", "--between", "2026", "2027", "--", "-bot", "서버"],
        ] {
            let command = try SearchCommand.parse(arguments)
            #expect(command.words == ["-bot", "서버"] && command.between == ["2026", "2027"])
        }
        #expect(try SearchCommand.parse(["a", "--between", "2026", "2027", "b"]).words == ["a", "b"])
        let error = try #require(throws: ValidationError.self) {
            try SearchCommand.parse(["서버", "--between", "2026", "-a", "old"])
        }
        #expect(error.message.hasPrefix("--between takes two times, not 1"))
    }

    @Test func `between includes the earlier start and excludes the later one, in either order`() throws {
        func anchor(_ arguments: [String]) throws -> MessageQuery.Anchor {
            try AnchorOptions.parse(["--between"] + arguments).anchor(zone: .gmt, now: sampleTime)
        }
        let start = try #require(Timestamp(cursor: "2026-01-01T00:00:00.000000Z"))
        let end = try #require(Timestamp(cursor: "2027-01-01T00:00:00.000000Z"))
        let before = MessageID(start.advanced(byMicroseconds: -1))
        #expect(try anchor(["2026", "2027"]) == .between(before, MessageID(end)))
        #expect(try anchor(["2027", "2026"]) == .between(MessageID(end), before))
        #expect(try anchor([start.description, "2027"]) == .between(MessageID(start), MessageID(end)))
    }
}
