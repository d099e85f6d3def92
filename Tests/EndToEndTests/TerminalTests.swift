import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// What a person sees on a real terminal.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))), .enabled(if: Screen.isAvailable, "needs tmux"))
struct TerminalTests {
    /// Every word of a text begins with a bar, so that the first in a line tells where that begins.
    private static let said: [StoredRoom.Said] = [
        .init(name: "alice", kind: .join), .init(name: "민수", kind: .join), .init(name: "eve", kind: .leave),
        .init(name: "alice", text: "|good |morning"), .init(name: "민수", text: "|안녕하세요 |여러분"),
        .init(
            name: "\u{1106}\u{1175}\u{11AB}\u{1109}\u{116E}", text: "|\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
        .init(name: "さくら", text: "|おはようございます、少し遅れましたがもう大丈夫です。明日も朝の十時に同じ場所で会いましょう。"),
        .init(name: "🇰🇷korea", text: "|flag"), .init(name: "José", text: "|e\u{301}te"),
        .init(
            name: "alice",
            text: "|오늘은 |아주 |긴 |문장을 |한번 |써 |보려고 |합니다. |터미널의 |너비에 |따라 |줄이 |잘 |나뉘는지 |확인해 |봅시다."),
        .init(name: "👨‍👩‍👧‍👦", text: "|family"), .init(name: "👍🏽", text: "|thumb"), .init(name: "minsu❤️", text: "|heart"),
        .init(name: "\u{202E}eve", text: "|\u{1B}[2J |\u{1B}]0;owned\u{7}"),
        .init(name: "alice", text: "|see https://example.org/a/path/of/some/length?with=a&query=too |there"),
        .init(name: "민수", text: "👨‍👩‍👧‍👦👨‍👩‍👧‍👦 👍🏽👍🏽👍🏽 ❤️❤️❤️ 1️⃣2️⃣3️⃣ 👨‍👩‍👧‍👦👨‍👩‍👧‍👦 👍🏽👍🏽👍🏽 ❤️❤️❤️ 1️⃣2️⃣3️⃣"),
    ]

    @Test(arguments: [40, 80, 200], ["", "--no-pager"])
    func `texts are aligned, whatever the names and the width`(columns: Int, pager: String) async throws {
        let scrollback = try Program()
        try await StoredRoom.store(Self.said, for: scrollback)
        let screen = try await Screen(
            "\"$scrollback\" history lobby \(pager)", for: scrollback, columns: columns, rows: 100
        )
        #expect(try await screen.ended() == 0)
        let lines = try await screen.lines()
        // 06:23, two spaces, the longest name (cut where it must be), two spaces.
        let indent = 7 + min(11, columns - 29) + 2
        let bars = try await screen.places(of: "|").reduce(into: [Int: Int]()) {
            $0[$1.row] = min($1.column, $0[$1.row] ?? .max)
        }
        #expect(bars.count >= Self.said.count { $0.text?.first == "|" }, "\(lines)")
        #expect(bars.values.allSatisfy { $0 == indent }, "\(bars) \(lines)")
        for line in lines.prefix(while: { !$0.hasPrefix("---") }) where line.hasPrefix(" ") {
            #expect(line.prefix { $0 == " " }.count == indent, "\(line)")
        }
        #expect(try await screen.hasBrokenLines() == false, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("-- 2 joined (alice, 민수), 1 left (eve)") } == (columns > 40))
        #expect(lines.contains { $0.hasSuffix("\\u{1B}[2J |\\u{1B}]0;owned\\u{7}") } == (columns > 40))
    }

    @Test func `the computed width of a text equals the terminal's`() async throws {
        let texts = [
            "abc", "é", "e\u{301}", "ạ̈̃", "A\u{20DD}", "우리집", "\u{110B}\u{116E}\u{1105}\u{1175}",
            "\u{1112}\u{1161}\u{11AB}",
            "\u{1100}", "ㅋㅋ", "\u{D7B0}\u{D7CB}", "日本語", "𠮷", "葛\u{E0100}", "ﾊﾝｶｸ", "ﾊﾟ", "（全角）", "か\u{3099}",
            "\u{3000}", "、。",
            "😀", "☕", "👨‍👩‍👧‍👦", "👩‍❤️‍💋‍👨", "🧑‍🤝‍🧑", "🏳️‍🌈", "👁️‍🗨️", "🏴‍☠️", "👍🏽", "🤷🏽‍♀️", "❤️", "❤", "☀\u{FE0E}", "©", "™️", "1️⃣", "🇰🇷", "🇰🇷🇯🇵",
            "می‌خواهم", "नमस्ते", "ที่", "กำ", "α", "★", "①", "…", "─", "\u{FFFD}", "﷽", "⸻", "\u{E000}",
        ]
        let scrollback = try Program()
        try scrollback.write(texts.joined(separator: "\n") + "\n", to: "texts")
        // Each is written to the terminal, which is asked where its cursor is then (DSR 6).
        try scrollback.write(
            #"""
            stty raw -echo
            while IFS= read -r text; do
                printf '\r\e[K%s\e[6n' "$text"
                IFS='[;' read -r -s -d R _ _ column < /dev/tty
                echo $((column - 1)) >> widths
            done < texts
            """#, to: "measure")
        let screen = try await Screen("source ./measure", for: scrollback, columns: 80)
        #expect(try await screen.ended() == 0)
        let widths = try String(contentsOfFile: scrollback.home + "/widths", encoding: .utf8)
            .split(separator: "\n").compactMap { Int($0) }
        try #require(widths.count == texts.count)
        for (text, width) in zip(texts, widths) {
            #expect(width <= DisplayWidth.atMost(text), "\(text)")
            if DisplayWidth.isCertain(text) { #expect(width == DisplayWidth.of(text), "\(text)") }
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/less"), "needs less"))
    func `a long page waits in the pager at its end, and the cursors are above the prompt`() async throws {
        let scrollback = try await self.scrollback(lines: 60)
        let command = "\"$scrollback\" history lobby; echo \"status $?\"; stty -a | grep -o ' echo ' | tr -d ' '"
        let screen = try await Screen(command, for: scrollback, columns: 80, rows: 10)
        try await screen.shows("line 60")
        #expect(try await screen.coloredText().contains("\u{1B}[3"))
        // Ctrl-C is the pager's alone.
        try await screen.type("C-c")
        try await screen.type("g")
        try await screen.shows("Saturday 2026-11-21")
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
        let lines = try await screen.lines()
        #expect(lines.contains { $0.hasPrefix("older: scrollback history demo/lobby --before ") }, "\(lines)")
        #expect(lines.contains("more: press PgUp in scrollback read demo/lobby"), "\(lines)")
        #expect(lines.contains("status 0") && lines.contains("echo"), "\(lines)")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/less"), "needs less"))
    func `the pager opens at the message of a place, which is marked, and at the newest hit`() async throws {
        let scrollback = try await self.scrollback(lines: 60)
        let id = MessageID(StoredRoom.start.advanced(by: .seconds(30))).description
        let command = "\"$scrollback\" history lobby --around \(id); \"$scrollback\" search line -n 40"
        let screen = try await Screen(command, for: scrollback, columns: 120, rows: 10)
        try await screen.shows("> 00:00  alice  line 30")
        let shown = try await screen.lines()
        #expect(shown.first?.hasSuffix("alice  line 28") == true, "\(shown)")
        #expect(shown.count { $0.hasPrefix("> ") } == 1, "\(shown)")
        try await screen.type("q")
        try await screen.shows("line 60")
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/less"), "needs less"))
    func `a signal ends the command and its pager, and restores the terminal`() async throws {
        let scrollback = try await self.scrollback(lines: 60)
        let command =
            "\"$scrollback\" history lobby & echo $! > id; fg > /dev/null; echo \"status $?\"; "
            + "stty -a | grep -o ' echo ' | tr -d ' '"
        let screen = try await Screen("set -m; " + command, for: scrollback, columns: 80, rows: 10)
        try await screen.shows("line 60")
        let id = try String(contentsOfFile: scrollback.home + "/id", encoding: .utf8)
        kill(try #require(Int32(id.dropLast())), SIGTERM)
        #expect(try await screen.ended() == 0)
        let lines = try await screen.lines()
        #expect(lines.contains("status 143") && lines.contains("echo"), "\(lines)")
    }

    @Test(arguments: [
        ("SCROLLBACK_PAGER='sed s/^/./'", ".00:00  alice  line 2", 0),
        ("PAGER='head -2; exit 3'", "00:00  alice  line 1", 0),
        ("PAGER='sed s/^/./' SCROLLBACK_PAGER=cat", "00:00  alice  line 1", 0),
        ("PAGER='sed s/^/./' TERM=dumb", "00:00  alice  line 1", 0),
        (
            "PAGER='no-such-pager -x'",
            "scrollback: can't find pager \"no-such-pager -x\"; set SCROLLBACK_PAGER to another", 0
        ),
        (
            "PAGER='A=1 no-such-pager'",
            "scrollback: can't find pager \"A=1 no-such-pager\"; set SCROLLBACK_PAGER to another", 0
        ),
    ])
    func `the pager is configurable`(environment: String, shown: String, status: Int) async throws {
        let scrollback = try await self.scrollback(lines: 3)
        let screen = try await Screen("\(environment) \"$scrollback\" history lobby", for: scrollback, columns: 120)
        #expect(try await screen.ended() == status)
        let lines = try await screen.lines()
        #expect(lines.contains { $0.hasPrefix(shown) }, "\(lines)")
        #expect(lines.count { $0.hasSuffix("alice  line 1") } == 1, "\(lines)")
    }

    @Test(arguments: ["history lobby", "history lobby -n all", "rooms", "search line"])
    func `a machine without the default pager shows the answer without a note`(arguments: String) async throws {
        let scrollback = try await self.scrollback(lines: 3)
        let command = "unset PAGER SCROLLBACK_PAGER; PATH=/nowhere \"$scrollback\" \(arguments)"
        let screen = try await Screen(command, for: scrollback, columns: 120)
        #expect(try await screen.ended() == 0)
        let lines = try await screen.lines()
        #expect(lines.contains { $0.contains(arguments == "rooms" ? "demo/lobby" : "alice  line 3") }, "\(lines)")
        #expect(lines.allSatisfy { !$0.contains("pager") }, "\(lines)")
    }

    @Test(arguments: ["tail", "tail -f", "history lobby --after 2026 -f"])
    func `followed output and the latest page are not paged`(arguments: String) async throws {
        let scrollback = try await self.scrollback(lines: 3)
        let command = "SCROLLBACK_PAGER='sed s/^/./' \"$scrollback\" \(arguments)"
        let screen = try await Screen(command, for: scrollback, columns: 80)
        try await screen.shows("line 3")
        let lines = try await screen.lines()
        #expect(lines.allSatisfy { !$0.hasPrefix(".") }, "\(lines)")
    }

    @Test func `lists fit a terminal of any width`() async throws {
        let scrollback = try await self.scrollback(lines: 3)
        for (columns, heading) in [(200, "ROOM        ID"), (80, "ROOM        ID"), (40, "ROOM            demo/lobby")]
        {
            let command = "for list in rooms gaps status; do \"$scrollback\" $list; done"
            let screen = try await Screen(command, for: scrollback, columns: columns)
            #expect(try await screen.ended() == 0)
            let lines = try await screen.lines()
            #expect(lines.first?.hasPrefix(heading) == true, "\(lines)")
            #expect(try await screen.hasBrokenLines() == false, "\(lines)")
        }
    }

    @Test(arguments: [40, 80])
    func `show aligns a message beside the names of its facts`(columns: Int) async throws {
        let scrollback = try Program()
        try await StoredRoom.store(
            [.init(name: "민수", text: "one two three four five six seven eight nine ten eleven twelve 열셋\nnext")],
            for: scrollback)
        let screen = try await Screen(
            "\"$scrollback\" show 2026-11-21T00:00:01.000000Z", for: scrollback, columns: columns)
        #expect(try await screen.ended() == 0)
        let lines = try await screen.lines()
        let indent = "before that  ".count
        #expect(lines.contains { $0.hasPrefix("text         one two three four") }, "\(lines)")
        #expect(lines.contains(String(repeating: " ", count: indent) + "next"), "\(lines)")
        #expect(try await screen.hasBrokenLines() == false, "\(lines)")
    }

    @Test(arguments: [("COLUMNS=40", 2), ("COLUMNS=-5", 1), ("", 1)])
    func `a terminal without a width uses COLUMNS or the default`(environment: String, rows: Int)
        async throws
    {
        let scrollback = try Program()
        try await StoredRoom.store([.init(name: "alice", text: "one two three four five six seven")], for: scrollback)
        let command = "stty cols 0 rows 0; \(environment) \"$scrollback\" history lobby --no-pager"
        let screen = try await Screen(command, for: scrollback, columns: 100)
        #expect(try await screen.ended() == 0)
        let lines = try await screen.lines().prefix { !$0.hasPrefix("---") }
        #expect(lines.count == 1 + rows, "\(lines)")
    }

    @Test func `output in a pipe is not paged, coloured or wrapped`() async throws {
        var scrollback = try Program()
        try await StoredRoom.store([.init(name: "alice", text: String(repeating: "word ", count: 60))], for: scrollback)
        scrollback.environment["PAGER"] = "touch paged"
        scrollback.environment["TERM"] = "xterm"
        scrollback.environment["COLUMNS"] = "40"
        let result = try await scrollback("history", "lobby")
        #expect(result.output.split(separator: "\n").count == 2)
        #expect(result.output.hasPrefix("2026-11-21 00:00:01  alice  word word "))
        #expect(!result.output.contains("\u{1B}"))
        #expect(!FileManager.default.fileExists(atPath: scrollback.home + "/paged"))
    }

    @Test func `--oneline prints the same on a terminal and in a pipe`() async throws {
        let scrollback = try await self.scrollback(lines: 3)
        let piped = try await scrollback("history", "lobby", "-n", "all").output.split(separator: "\n").prefix(3)
        for limit in ["3", "all"] {
            let command = "\"$scrollback\" history lobby --oneline -n \(limit)"
            let screen = try await Screen(command, for: scrollback, columns: 120)
            #expect(try await screen.ended() == 0)
            let lines = try await screen.lines()
            #expect(piped.allSatisfy { lines.contains(String($0)) }, "\(lines)")
        }
    }

    @Test func `a whole room is paged, and ending the pager is not a failure`() async throws {
        let scrollback = try await self.scrollback(lines: 2500)
        let command = "PAGER='head -2' \"$scrollback\" history lobby -n all; echo \"status $?\""
        let screen = try await Screen(command, for: scrollback, columns: 80)
        #expect(try await screen.ended() == 0)
        let lines = try await screen.lines()
        #expect(lines.contains("00:00  alice  line 1") && lines.contains("status 0"), "\(lines)")
    }

    private func scrollback(lines: Int) async throws -> Program {
        let scrollback = try Program()
        try await StoredRoom.store((1...lines).map { .init(name: "alice", text: "line \($0)") }, for: scrollback)
        return scrollback
    }
}
