import ChatModel
import Foundation
import TestSupport
import Testing
import Writing

/// The library that `scrollback read` loads.
enum CursesLibrary {
    static let isAvailable = dlopen("libncursesw.so.6", RTLD_LAZY) != nil
}

/// `scrollback read` on a real terminal. The model's own tests have each key.
@Suite(
    .timeLimit(.minutes(MachineSpeed.minutes(10))), .enabled(if: Screen.isAvailable, "needs tmux"),
    .enabled(if: CursesLibrary.isAvailable, "needs libncursesw6"), .disabled(if: QuickCheck.isRunning))
struct ReadTerminalTests {
    private func scrollback(lines: Int) async throws -> Program {
        let scrollback = try Program()
        try await StoredRoom.store((1...lines).map { .init(name: "alice", text: "line \($0).") }, for: scrollback)
        return scrollback
    }

    @Test func `a person pages, searches, goes to a date, and gets the command that returns`() async throws {
        let scrollback = try await self.scrollback(lines: 500)
        let command = "\"$scrollback\" read lobby; stty -a | grep -o ' echo ' | tr -d ' '"
        let screen = try await Screen(command, for: scrollback, columns: 80, rows: 24)
        try await screen.shows("line 500.")
        try await screen.type("PageUp")
        try await screen.shows("line 470.")
        try await screen.type("Home")
        try await screen.shows("line 1.")
        try await screen.type("/")
        try await screen.type("line 250.")
        try await screen.shows("hit 1 of 1")
        try await screen.type("Enter")
        try await screen.shows("line 251.")
        try await screen.type("Escape")
        try await screen.shows("line 1.")
        try await screen.type("g")
        try await screen.type("2026-11-21 00:05")
        try await screen.type("Enter")
        try await screen.shows("line 300.")
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
        let lines = try await screen.lines()
        #expect(lines.first?.hasPrefix("to return here: scrollback read demo/lobby --around 2026-") == true, "\(lines)")
        #expect(lines.contains("echo"), "\(lines)")
    }

    @Test func `scrollback alone opens the reader, and a new message appears in it`() async throws {
        let scrollback = try Program()
        let writer = try await StoredRoom.write([.init(name: "alice", text: "the first")], for: scrollback)
        let screen = try await Screen("\"$scrollback\"", for: scrollback, columns: 100, rows: 20)
        try await screen.shows("the first")
        let session = try await StoredRoom.openSession(writer)
        _ = try await writer.append([StoredRoom.said("fresh words", by: "민수", in: session, after: 3_700_000)])
        try await screen.shows("민수  fresh words")
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
        try await writer.close()
    }

    @Test(arguments: [(80, 24), (69, 20), (40, 12), (20, 6), (200, 50)])
    func `awkward texts stand in their columns, and none controls the terminal`(columns: Int, rows: Int) async throws {
        let scrollback = try Program()
        let texts = [
            "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{202E}right to left", "안녕하세요 여러분 오늘도 좋은 하루", "👨‍👩‍👧‍👦👍🏽❤️1️⃣🇰🇷",
            "ไทยนี้รักสงบ", "مرحبا بالعالم", "おはようございます", "e\u{301}te\u{301}", "a\u{8}\u{8}b\rc",
        ]
        try await StoredRoom.store(
            texts.map { .init(name: $0, text: $0) } + [.init(name: "bob", text: "end.")], for: scrollback)
        let screen = try await Screen("\"$scrollback\" read lobby", for: scrollback, columns: columns, rows: rows)
        // The gap after the last message fills a screen of six lines.
        try await screen.shows(rows > 6 ? "end." : "▒▒▒")
        #expect(try await screen.hasBrokenLines() == false)
        #expect(try await screen.lines().last?.hasSuffix("live ●") == true)
        try await screen.type("Home")
        if columns > 40 { try await screen.shows("\\u{1B}[2J\\u{1B}]0;owned\\u{7}") }
        #expect(try await screen.hasBrokenLines() == false)
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
    }

    @Test func `a damaged message is a gap, and reading goes on before it`() async throws {
        let scrollback = try await self.scrollback(lines: 200)
        let id = StoredRoom.start.advanced(by: .seconds(190)).microseconds
        try DamagedArchive.change(
            DamagedArchive.file(of: "demo", in: scrollback.data), "UPDATE message SET kind = 99 WHERE id = \(id)")
        let screen = try await Screen("\"$scrollback\" read lobby", for: scrollback, columns: 100, rows: 30)
        try await screen.shows("line 200.")
        try await screen.shows("the archive's file was damaged")
        try await screen.shows("line 189.")
        let lines = try await screen.lines()
        #expect(!lines.contains { $0.hasSuffix("line 190.") }, "\(lines)")
        try await screen.type("Home")
        try await screen.shows("line 1.")
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a signal restores the terminal`(signal: Int32) async throws {
        let scrollback = try await self.scrollback(lines: 5)
        let quiet = try scrollback.startOnTerminal(command: ["/bin/sleep", "0"])
        #expect(try await quiet.status() == 0)
        let terminal = try scrollback.startOnTerminal("read", "lobby")
        try await terminal.shows("line 5.")
        #expect(!terminal.isCooked)
        terminal.signal(signal)
        #expect(try await terminal.status() == 128 + signal)
        #expect(terminal.flags == quiet.flags)
        #expect(terminal.text.contains("\u{1B}[?1049l"))
    }

    @Test func `a lost terminal ends the reader`() async throws {
        let scrollback = try await self.scrollback(lines: 5)
        let terminal = try scrollback.startOnTerminal("read", "lobby")
        try await terminal.shows("line 5.")
        terminal.hangUp()
        #expect(try await terminal.status() == 128 + SIGHUP)
    }

    @Test func `a missing library is one sentence, and all else works`() async throws {
        let scrollback = try await self.scrollback(lines: 5)
        let missing = "SCROLLBACK_NCURSES=/nowhere \"$scrollback\""
        let screen = try await Screen("\(missing) read lobby", for: scrollback, columns: 200)
        #expect(try await screen.ended() == 1)
        let line = "scrollback: the library for full screens can't be loaded (/nowhere: cannot open shared object file"
        #expect(try await screen.lines().first?.hasPrefix(line) == true)
        let others = try await Screen("\(missing) history lobby; \(missing) | head -1", for: scrollback, columns: 200)
        #expect(try await others.ended() == 0)
        let lines = try await others.lines()
        #expect(lines.contains { $0.hasSuffix("line 5.") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("OVERVIEW: ") }, "\(lines)")
    }

    @Test func `without a terminal, read says so`() async throws {
        let result = try await self.scrollback(lines: 1)("read", "lobby")
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("scrollback: \"scrollback read\" needs a terminal for input and output; "))
        #expect(result.output.isEmpty)
    }
}
