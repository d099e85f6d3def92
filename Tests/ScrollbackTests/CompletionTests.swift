import ChatModel
import Foundation
import Options
import Testing

@testable import Operations
@testable import Rendering
@testable import Scrollback

struct CompletionTests {
    private static let rooms = [
        room("lobby", account: "a"), room("lobby", account: "b"), room("#example", id: 2, account: "a"),
        room("#swift", id: 3, account: "a"), room("swift", id: 4, account: "a"), room("우리 집", id: 5, account: "b"),
        room("-rf", id: 6, account: "b"), room("\u{1B}[2J", id: 7, account: "b"),
        room("$(touch x)", id: 8, account: "b"),
        room("7", id: 9, account: "a"),
    ].map(\.named)

    @Test func `each candidate is the shortest unambiguous name of a room without quotes`() throws {
        let candidates = RoomCompletion(rooms: Self.rooms).candidates(for: "")
        #expect(
            candidates == [
                "a/lobby", "b/lobby", "example", "a/3", "a/4", "우리 집", "b/-rf", "b/7", "$(touch x)", "a/7",
            ])
        let resolver = RoomResolver(rooms: Self.rooms, folder: "data")
        #expect(try candidates.map { try resolver.resolve($0) } == Self.rooms)
    }

    @Test func `workspaces distinguish rooms with the same name`() throws {
        let rooms = [("acme", "general"), ("초록", "general"), ("acme", "잡담")].enumerated().map { number, names in
            NamedRoom(account: "work", network: "slp", id: Int64(number), name: names.1, workspace: names.0)
        }
        let candidates = RoomCompletion(rooms: rooms).candidates(for: "")
        #expect(candidates == ["work/acme/general", "work/초록/general", "잡담"])
        #expect(try candidates.map { try RoomResolver(rooms: rooms, folder: "data").resolve($0) } == rooms)
    }

    @Test func `the typed beginning decides whether candidates have # and the account`() {
        let completion = RoomCompletion(rooms: Self.rooms)
        #expect(completion.candidates(for: "#").contains("#example"))
        #expect(completion.candidates(for: "a/").contains("a/example"))
        #expect(!completion.candidates(for: "a/").contains("example"))
        #expect(completion.candidates(for: "a").contains("a/example"))
        #expect(completion.candidates(for: "a").contains("example"))
    }

    @Test func `bash gets no candidate that it would execute`() {
        let completion = RoomCompletion(rooms: Self.rooms, refused: RoomCompletion.refusedByBash)
        #expect(completion.candidates(for: "").contains("b/8"))
        #expect(!completion.candidates(for: "").contains { $0.contains("$") })
    }

    @Test(arguments: [
        ("plain", "plain"), (#"a\ b"#, "a b"), (#"'a "b'"#, #"a "b"#), (#""it's \"x\"""#, #"it's "x""#),
        ("~/x", "/home/alice/x"), ("'~/x'", "~/x"), ("'open", "open"), ("a'b'\"c\"", "abc"), (#"'a\b'"#, #"a\b"#),
        ("", ""),
    ])
    func `a word is read as its shell would read it`(word: String, text: String) {
        #expect(ShellWord.text(word, home: "/home/alice") == text)
    }

    @Test(arguments: ["", "a b", "it's", "$(x)", "\u{301}'\u{301}"])
    func `a quoted text is read back as the text`(text: String) {
        let unquoted = ShellWord.text(ShellWord.quoted(text), home: "/home/alice")
        #expect(unquoted.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(arguments: [
        ["archive", "erase", "whatsapp", "--room"], ["archive", "merge", "whatsapp", "--room"],
        ["export", "-a", "whatsapp", "--room"], ["history", "-a", "whatsapp"],
    ])
    func `the named account decides which rooms are offered`(words: [String]) throws {
        let asked = [CompletionRequest.word, "zsh", "scrollback"] + words + [""]
        let request = try #require(CompletionRequest(ScrollbackCommand.self, asked) { $1 })
        #expect(request.wanted == .rooms && request.accounts == ["whatsapp"])
    }

    @Test func `every room and account argument is completed from the archive`() {
        var found = 0
        for command in CommandPath(ScrollbackCommand.self, []).all {
            for parameter in command.parameters {
                let isRoom = parameter.form == .argument && parameter.valueName == "room"
                guard isRoom || parameter.valueName == "account" else { continue }
                found += 1
                #expect(parameter.completion == (isRoom ? .rooms : .accounts), "\(command.name)")
            }
        }
        #expect(found >= 5)
    }
}
