import Foundation
import TestSupport
import Testing
import Writing

/// Each key of `scrollback read`, and what happens to its archive meanwhile, on a real terminal.
@Suite(
    .timeLimit(.minutes(MachineSpeed.minutes(10))), .enabled(if: Screen.isAvailable, "needs tmux"),
    .enabled(if: CursesLibrary.isAvailable, "needs libncursesw6"), .disabled(if: QuickCheck.isRunning))
struct ReadKeysTests {
    /// Stores `line 1.` to `line 200.` a second apart, and a gap after them.
    private func scrollback(lines: Int = 200) async throws -> Program {
        let scrollback = try Program()
        try await StoredRoom.store((1...lines).map { .init(name: "alice", text: "line \($0).") }, for: scrollback)
        return scrollback
    }

    /// Presses each key, and waits for the words that the screen shows then.
    private func press(_ steps: [(key: String, words: String)], on screen: Screen) async throws {
        for (key, words) in steps {
            try await screen.type(key)
            try await screen.shows(words)
        }
    }

    private func quit(_ screen: Screen) async throws {
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
    }

    @Test func `the keys that move show another place each`() async throws {
        let screen = try await Screen(
            "\"$scrollback\" read lobby --utc", for: try await self.scrollback(), columns: 80, rows: 24)
        try await screen.shows("line 200.")
        try await press(
            [
                ("b", "line 165."), ("Space", "line 200."), ("Home", "line 1."), ("PageDown", "line 30."),
                ("PageUp", "line 1."), ("}", "▒▒▒ nothing received since"), ("}", "no further gap"),
                ("End", "line 200."), ("{", "no further gap"),
                ("[", "no further day with messages"), ("]", "no further day with messages"),
                ("c", "2026-11-21: 200 messages"), ("Enter", "line 1."), ("G", "line 200."), ("g", "go to: "),
            ], on: screen)
        try await screen.type("-l", "2026-11-21 00:01:40")
        try await press([("Enter", "line 100."), ("Home", "line 1."), ("C-l", "line 1.")], on: screen)
        try await quit(screen)
    }

    @Test func `the keys of messages show, copy and mark`() async throws {
        let screen = try await Screen(
            "\"$scrollback\" read lobby", for: try await self.scrollback(lines: 50), columns: 90, rows: 24)
        try await screen.shows("line 50.")
        try await press(
            [
                ("k", "line 50."), ("Enter", "sender       alice"), ("x", "? keys   live ●"),
                ("t", "the message has no replies"), ("o", "the message has no link"), ("y", "copied the text"),
                ("Y", "copied the id 2026-11-21T00:00:"), ("J", "joins and leaves are hidden"),
                ("J", "joins and leaves are shown"), ("u", "names of today"),
                ("u", "names of the time of each message"), ("?", "quit, and print the command to return"),
                ("x", "? keys   live ●"), ("n", "no search; / begins one"), ("m", "marked as read"),
            ], on: screen)
        try await quit(screen)
    }

    @Test func `rooms open by a part of their name, by number, and the next unread one by a`() async throws {
        let scrollback = try await self.scrollback(lines: 5)
        try await StoredRoom.store(
            (1...5).map { .init(name: "민수", text: "other \($0).") }, as: "second", for: scrollback)
        #expect(try await scrollback("mark-read", "demo/lobby").status == 0)
        let marked = try await scrollback("mark-read", "second/lobby", "--to", "2026-11-21T00:00:02.000000Z")
        #expect(marked.status == 0, "\(marked.errors)")
        let screen = try await Screen("\"$scrollback\" read demo/lobby", for: scrollback, columns: 80, rows: 24)
        try await screen.shows("line 5.")
        try await press(
            [("a", "other 5."), ("M-1", "line 5."), ("M-2", "other 5."), ("M-9", "there is no room 9")], on: screen)
        try await press([("C-k", "room: "), ("demo", "room: demo"), ("Enter", "line 5.")], on: screen)
        try await quit(screen)
    }

    @Test func `a search goes to the account and to everything, and n and N open hits`() async throws {
        let scrollback = try await self.scrollback()
        try await StoredRoom.store([.init(name: "민수", text: "line elsewhere")], as: "second", for: scrollback)
        let screen = try await Screen("\"$scrollback\" read demo/lobby", for: scrollback, columns: 90, rows: 24)
        try await screen.shows("line 200.")
        try await press(
            [
                ("/", "type a query"), ("line", "hit 1 of 200"), ("Tab", "search in all rooms of demo"),
                ("Tab", "hit 1 of 201"), ("Up", "hit 2 of 201"), ("Tab", "search in lobby"),
                ("Enter", "hit 1 of 200"), ("n", "hit 2 of 200"), ("N", "hit 1 of 200"), ("Escape", "line 200."),
            ], on: screen)
        try await eventually("the search has ended") {
            try await screen.lines().last?.contains("hit") == false ? true : nil
        }
        try await quit(screen)
    }

    @Test func `Ctrl-Z gives the terminal back, and fg continues at the same place`() async throws {
        let command = """
            set -m; "$scrollback" read lobby; echo "stopped with $?"; stty -a | grep -o ' echo ' | tr -d ' '
            read -r line; fg; echo "ended with $?"; stty -a | grep -o ' echo ' | tr -d ' '
            """
        let screen = try await Screen(command, for: try await self.scrollback(), columns: 80, rows: 24)
        try await screen.shows("line 200.")
        try await press([("PageUp", "line 165."), ("C-z", "stopped with 148")], on: screen)
        try await eventually("the terminal echoes") { try await screen.lines().contains("echo") ? true : nil }
        try await press([("Enter", "line 165."), ("q", "ended with 0")], on: screen)
        #expect(try await screen.ended() == 0)
        let lines = try await screen.lines()
        #expect(lines.count { $0 == "echo" } == 2, "\(lines)")
    }

    @Test func `a screen of any size has its lines, and none is broken`() async throws {
        let scrollback = try Program()
        let texts = ["안녕하세요 여러분 오늘도 좋은 하루 보내세요", "👨‍👩‍👧‍👦👍🏽❤️", "ไทยนี้รักสงบ", "مرحبا بالعالم", "plain words"]
        try await StoredRoom.store(
            (0..<200).map { .init(name: texts[$0 % 5], text: "\(texts[$0 % 5]) \($0)") }, for: scrollback)
        let screen = try await Screen("\"$scrollback\" read lobby", for: scrollback, columns: 80, rows: 24)
        try await screen.shows("live ●")
        let sizes = [
            (70, 24), (69, 24), (60, 20), (40, 12), (30, 10), (25, 8), (20, 6), (132, 43), (200, 60), (100, 5),
            (81, 25),
            (79, 23), (50, 4), (45, 50), (120, 30), (33, 33), (160, 12), (90, 8), (64, 40), (80, 24),
        ]
        for (columns, rows) in sizes {
            try await screen.resize(columns: columns, rows: rows)
            try await eventually("a screen of \(columns)x\(rows)") {
                let lines = try await screen.lines()
                return lines.count == rows && lines.last?.hasSuffix("live ●") == true ? true : nil
            }
            #expect(try await screen.hasBrokenLines() == false, "\(columns)x\(rows)")
        }
        try await quit(screen)
    }

    @Test func `NO_COLOR leaves bold and reversed text`() async throws {
        let command = "NO_COLOR=1 \"$scrollback\" read lobby"
        let screen = try await Screen(command, for: try await self.scrollback(lines: 5), columns: 80, rows: 24)
        try await screen.shows("line 5.")
        try await press([("/", "type a query"), ("line", "hit 1 of 5")], on: screen)
        let text = try await screen.coloredText()
        #expect(!text.contains(/\u{1B}\[[0-9;]*\b(3[0-8]|9[0-7])[;m]/), "\(text)")
        #expect(text.contains(/\u{1B}\[[0-9;]*\b1[;m]/) && text.contains(/\u{1B}\[[0-9;]*\b7[;m]/), "\(text)")
        try await screen.type("Escape")
        try await screen.shows("? keys")
        try await quit(screen)
    }
}

/// Changes of an archive while `scrollback read` shows it.
@Suite(
    .timeLimit(.minutes(MachineSpeed.minutes(10))), .enabled(if: Screen.isAvailable, "needs tmux"),
    .enabled(if: CursesLibrary.isAvailable, "needs libncursesw6"), .disabled(if: QuickCheck.isRunning))
struct ReadMeanwhileTests {
    @Test func `a room that grows while one scrolls keeps the place, and counts what is new`() async throws {
        let scrollback = try Program()
        let writer = try await StoredRoom.write(
            (1...200).map { .init(name: "alice", text: "line \($0).") }, for: scrollback)
        let screen = try await Screen("\"$scrollback\" read lobby", for: scrollback, columns: 80, rows: 24)
        try await screen.shows("line 200.")
        try await screen.type("PageUp")
        try await screen.shows("line 165.")
        let before = try await screen.lines().dropFirst().dropLast()
        let session = try await StoredRoom.openSession(writer)
        for number in 1...12 {
            let event = StoredRoom.said("new \(number).", by: "민수", in: session, after: 3_700_000 + number)
            _ = try await writer.append([event])
        }
        try await screen.shows("12 new ↓")
        #expect(try await screen.lines().dropFirst().dropLast() == before)
        try await screen.type("End")
        try await screen.shows("new 12.")
        try await screen.shows("live ●")
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
        try await writer.close()
    }

    @Test func `an account that is moved away is one sentence, and the reader goes on`() async throws {
        let scrollback = try Program()
        try await StoredRoom.store((1...50).map { .init(name: "alice", text: "line \($0).") }, for: scrollback)
        let screen = try await Screen("\"$scrollback\" read lobby", for: scrollback, columns: 110, rows: 24)
        try await screen.shows("line 50.")
        try FileManager.default.moveItem(atPath: scrollback.data + "/accounts", toPath: scrollback.home + "/away")
        try await screen.type("/")
        try await screen.type("line")
        try await screen.shows("no account \"demo\" in ")
        try await screen.type("Escape")
        try await screen.shows("line 50.")
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
    }

    @Test(arguments: [80, 40])
    func `a compressed account is left out with a sentence, and read with --cold`(columns: Int) async throws {
        let scrollback = try Program()
        try await StoredRoom.store([.init(name: "alice", text: "a line")], for: scrollback)
        #expect(try await scrollback("archive", "compress", "demo").status == 0)
        let without = try await Screen("\"$scrollback\" read", for: scrollback, columns: columns, rows: 24)
        try await without.shows("skipped 'demo' (compressed)")
        try await without.type("q")
        #expect(try await without.ended() == 0)
        let with = try await Screen("\"$scrollback\" read demo/lobby --cold", for: scrollback, columns: columns)
        try await with.shows("a line")
        try await with.type("q")
        #expect(try await with.ended() == 0)
    }
}
