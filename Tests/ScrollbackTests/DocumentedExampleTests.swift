import Foundation
import Options
import Testing

@testable import Scrollback
@testable import Settings

/// The commands in help, in the README and in `docs/`, as the program reads them.
struct DocumentedExampleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    private static func pages() throws -> [String] {
        let docs = FileManager.default.enumerator(atPath: root.appending(path: "docs").path)
        let names = docs?.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") } ?? []
        // The text of docs/commands.md is the help.
        return ["README.md", "README.ko.md"] + names.filter { $0 != "commands.md" }.map { "docs/" + $0 }.sorted()
    }

    @Test func `every command in the documentation is valid`() throws {
        var count = 0
        for page in try Self.pages() {
            for example in try Example.markdown(document(page)) {
                count += 1
                #expect(example.mistake == nil, "\(page): \(example.text)")
            }
        }
        #expect(count > 60)
    }

    @Test func `every command in help is valid`() {
        var count = 0
        for command in CommandPath(ScrollbackCommand.self, []).all {
            for example in Example.help(command.help(columns: 100_000)) {
                count += 1
                #expect(example.mistake == nil, "\(command.name): \(example.text)")
            }
        }
        #expect(count > 30)
    }

    @Test(arguments: KnownNetworks.names)
    func `every command in a printed configuration is valid`(network: String) throws {
        let examples = Example.template(try #require(KnownNetworks.template(network: network)))
        #expect(!examples.isEmpty)
        for example in examples { #expect(example.mistake == nil, "\(example.text)") }
    }

    @Test(arguments: [
        "scrollback rooms --since 1d", "scrollback histroy x", "scrollback archive chek", "scrollback search -z x",
        "scrollback history x --before soon", "scrollback backup", "scrollback tail -n", "scrollback rooms x y",
        "scrollback status --bogus > out.txt", "scrollback search 'x --bogus", "scrollback history --data FOLDER",
    ])
    func `an invalid example is caught`(text: String) {
        let page = "Say `\(text)`.\n```\n$ \(text)\n```\n"
        let mistakes = Example.markdown(page).compactMap(\.mistake)
        #expect(mistakes.count == (text == "scrollback backup" ? 1 : 2), "\(mistakes)")
        #expect(Example.help("OVERVIEW: x\n\nEXAMPLE: \(text)\n").allSatisfy { $0.mistake != nil })
    }

    @Test func `shell syntax is not part of a command`() {
        func arguments(_ text: String) -> [String]? { Example(text: text).arguments }
        #expect(arguments("scrollback rooms | grep x") == ["rooms"])
        #expect(arguments("scrollback listen --ack-fd 3 3>acknowledged") == ["listen", "--ack-fd", "3"])
        #expect(arguments("scrollback init irc > x    # and fill it") == ["init", "irc"])
        #expect(
            arguments(#"scrollback search '"a phrase"' in:#x "b c"\ d"#) == [
                "search", "\"a phrase\"", "in:#x", "b c d",
            ])
        #expect(arguments("scrollback tail -n 5 && echo x; date") == ["tail", "-n", "5"])
        #expect(arguments("scrollback search \"a") == nil)
    }
}

/// A command line in a text.
private struct Example {
    let text: String

    /// Returns the commands in fences, and those between backticks.
    static func markdown(_ page: String) -> [Example] {
        var (examples, isCode): ([Example], Bool) = ([], false)
        for line in page.replacing("\\\n", with: "").split(separator: "\n") {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if isCode, let command = line.prefixMatch(of: /(\$ )?(scrollback .+)/)?.2 {
                // In the README's list of commands, spaces end the command, which needs no arguments.
                let list = command.firstRange(of: "   ").map { command[..<$0.lowerBound] }
                examples += list.map { mentions([String($0)]) } ?? [Example(text: String(command))]
            }
        }
        return examples + quoted(page, by: /`(scrollback [^`]+)`/)
    }

    /// Returns the examples and the quoted commands of a help text.
    static func help(_ text: String) -> [Example] {
        text.matches(of: /EXAMPLE:.*?(scrollback .+)/).map { Example(text: String($0.1)) }
            + quoted(text, by: /"(scrollback [^"]+)"/)
    }

    /// Returns the commands in the comments of a configuration.
    static func template(_ text: String) -> [Example] {
        text.matches(of: /#     (scrollback .+)/).map { Example(text: String($0.1)) }
            + quoted(text, by: /"(scrollback [^"]+)"/)
    }

    private static func quoted(_ text: String, by pattern: Regex<(Substring, Substring)>) -> [Example] {
        mentions(text.matches(of: pattern).map { String($0.1.replacing("\n", with: " ")) })
    }

    /// Returns the command lines, without those that only name an existing command.
    private static func mentions(_ lines: [String]) -> [Example] {
        lines.filter {
            !CommandPath(ScrollbackCommand.self, $0.split(separator: " ").dropFirst().map(String.init)).rest.isEmpty
        }
        .map { Example(text: $0) }
    }

    /// The arguments, as a shell splits them; nil for a quote without an end. A redirection or a pipe ends them.
    var arguments: [String]? {
        var words: [String] = []
        var word: String?
        var rest = text.dropFirst("scrollback ".count)
        while let character = rest.popFirst() {
            switch character {
            case "'", "\"":
                guard let end = rest.firstIndex(of: character) else { return nil }
                word = (word ?? "") + rest[..<end]
                rest = rest[rest.index(after: end)...]
            case "\\": word = (word ?? "") + rest.prefix(1); rest = rest.dropFirst()
            case " ": words += [word].compactMap(\.self); word = nil
            case "#" where word == nil, "|", ";", "&", "<", ">":
                // The number before a redirection is a descriptor.
                return words + [word].compactMap(\.self).filter { character != ">" || Int($0) == nil }
            default: word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }

    /// The program's complaint; nil for a command that it understands.
    var mistake: String? {
        guard let arguments else { return "a quote has no end" }
        let meant = arguments.map { $0 == "TIME" ? "yesterday" : $0.trimmingCharacters(in: ["[", "]"]) }
        do {
            _ = try ScrollbackCommand.parseAsRoot(meant)
            return nil
        } catch {
            return ExitCode(for: error) == .success ? nil : CommandPath(ScrollbackCommand.self, meant).text(of: error)
        }
    }
}
