import Foundation
import Options
import Testing

@testable import Scrollback

/// `docs/commands.md` and the README's list of commands are what the program says of itself. `make docs` writes them.
struct DocumentedHelpTests {
    private static let isWriting = ProcessInfo.processInfo.environment["SCROLLBACK_WRITE_DOCS"] != nil
    /// The commands, and those below a command after it.
    private static let all = CommandPath(ScrollbackCommand.self, []).below.flatMap { [$0] + $0.below }

    private func expect(_ text: String, in path: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(path)")
        if Self.isWriting { try text.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try document(path) == text, "\"make docs\" writes it anew")
    }

    @Test func `the documentation has every command's help`() throws {
        let sections = Self.all.map { command in
            let help = command.help(columns: 100)
            return "## \(command.words.dropLast())\n\n```\n\(help.trimmingCharacters(in: .newlines))\n```\n"
        }
        let head = """
            # Commands

            The output of `scrollback help COMMAND`, generated from the program. [docs/json.md](json.md) describes the
            machine formats, and [docs/configuration.md](configuration.md) the configuration.


            """
        try expect(head + sections.joined(separator: "\n"), in: "docs/commands.md")
    }

    /// The commands of the README.
    private static let shown: Set = [
        "read", "history", "search", "serve", "listen", "status", "import", "export", "archive", "backup",
    ]

    @Test(arguments: ["README.md", "README.ko.md"])
    func `the README lists the usual commands in the groups of the help`(path: String) throws {
        let list = ScrollbackCommand.configuration.groupedSubcommands.flatMap { group in
            group.subcommands.filter { Self.shown.contains($0.name) }.enumerated().map { place, command in
                (place == 0 ? group.name.lowercased() : "").padding(toLength: 10, withPad: " ", startingAt: 0)
                    + "scrollback \(command.name)".padding(toLength: 20, withPad: " ", startingAt: 0)
                    + command.configuration.abstract
            }
        }
        let (begin, end) = ("<!-- commands: written by make docs -->\n", "<!-- end of commands -->")
        let text = try document(path)
        let start = try #require(text.range(of: begin)).upperBound
        let stop = try #require(text.range(of: end)).lowerBound
        try expect(text[..<start] + "```\n\(list.joined(separator: "\n"))\n```\n" + text[stop...], in: path)
    }

    @Test func `every command's help has a valid example`() throws {
        for command in Self.all {
            let example = try #require(
                command.command.configuration.discussion.firstMatch(of: /EXAMPLE: scrollback ([^\n>]+)/),
                "\(command.name)")
            let words = example.1.split(separator: " ").map(String.init)
            #expect(throws: Never.self, "\(words)") {
                try ScrollbackCommand.parseAsRoot(words)
            }
        }
    }
}
