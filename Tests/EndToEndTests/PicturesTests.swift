import Foundation
import TestSupport
import Testing

/// The README's pictures, which docs/pictures/make writes. When one of these tests fails, run it again.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct PicturesTests {
    private static let folder = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/docs/pictures"

    /// A command of `commands.txt`.
    private struct Shown {
        /// The names of the pictures that show it.
        var pictures: String
        var command: String
        var output = ""

        /// The command's words without `scrollback`. Quotes stand around whole words.
        var arguments: [String] {
            let parts = command.components(separatedBy: "'").enumerated()
            let words = parts.flatMap { index, part -> [String] in
                index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [part]
            }
            return Array(words.dropFirst())
        }
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }

    /// Reads `commands.txt`: a line with `# ` and pictures, then commands, each a line with `$ `, its output and an
    /// empty line.
    private static func commands() throws -> [Shown] {
        var all: [Shown] = []
        var open: Shown?
        var pictures = ""
        for line in try text("commands.txt").split(separator: "\n", omittingEmptySubsequences: false) {
            if var shown = open {
                if line.isEmpty { all.append(shown) } else { shown.output += "\(line)\n" }
                open = line.isEmpty ? nil : shown
            } else if line.hasPrefix("$ ") {
                open = Shown(pictures: pictures, command: String(line.dropFirst(2)))
            } else if line.hasPrefix("# ") {
                pictures = String(line.dropFirst(2))
            } else {
                try #require(line.isEmpty, "neither a command nor pictures: \(line)")
            }
        }
        let isWhole = open == nil
        try #require(isWhole, "no empty line after the last command")
        return all
    }

    /// The archive of the pictures.
    private func archive() async throws -> Program {
        var scrollback = try Program()
        scrollback.environment["LC_ALL"] = "C.UTF-8"
        scrollback.environment["PAGER"] = "cat"
        let imported = try await scrollback("import", Self.folder + "/archive.jsonl", "-a", "club")
        #expect(imported.status == 0, "\(imported.errors)")
        return scrollback
    }

    @Test func `the pictures show what the program prints today`() async throws {
        let scrollback = try await archive()
        let commands = try Self.commands()
        #expect(commands.count > 4)
        for shown in commands {
            #expect(shown.command.hasPrefix("scrollback "))
            let result = try await scrollback.start(arguments: shown.arguments).result()
            #expect(result.status == 0, "\(shown.command): \(result.errors)")
            #expect(result.output == shown.output, "\(shown.command) prints something else than docs/pictures")
        }
    }

    @Test(arguments: ["terminal-light.svg", "terminal-dark.svg"])
    func `the picture of a terminal has the program's output on a terminal`(
        picture: String
    ) async throws {
        let scrollback = try await archive()
        let commands = try Self.commands().filter { $0.pictures.contains(picture) }
        try #require(!commands.isEmpty)
        var session = ""
        for shown in commands {
            let terminal = try scrollback.startOnTerminal(command: [Program.path] + shown.arguments)
            #expect(try await terminal.status() == 0, "\(terminal.text)")
            session += "$ " + shown.command + terminal.text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        }
        // The picture has a place for each letter, and no spaces.
        let rows = try Self.text(picture).split(separator: "\n").filter { $0.hasPrefix("<text ") }
        let drawn = rows.joined(separator: "").replacing(/<[^>]*>/, with: "")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        #expect(drawn == session.filter { !$0.isWhitespace })
    }
}
