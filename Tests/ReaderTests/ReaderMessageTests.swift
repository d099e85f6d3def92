import ChatModel
import Rendering
import Testing

@testable import Reader

struct ReaderMessageTests {
    /// Texts that would move a cursor, forge lines or hide words.
    private static let hostile = [
        "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{202E}live\u{200F}", "a\rb\u{8}c\u{7F}", "\u{9B}31m", "tab\there", "\u{0}",
        String(repeating: "\u{301}", count: 500), "👨‍👩‍👧‍👦👍🏽❤️1️⃣🇰🇷", "가나다라마바사 한글", "ไทยนี้รัก", "مرحبا بالعالم",
        String(repeating: "x", count: 5000),
    ]

    private static func archive() -> SampleArchive {
        var archive = SampleArchive(5)
        for text in hostile {
            archive.say(text)
            archive.messages.append(SampleArchive.message(archive.messages.count, "by its name", by: text))
        }
        archive.names[SampleArchive.room] = "\u{1B}[31mroom 👨‍👩‍👧‍👦"
        return archive
    }

    @Test(arguments: [
        (80, 24), (70, 24), (69, 24), (40, 12), (20, 5), (10, 3), (5, 3), (1, 1), (2, 2), (132, 43), (200, 60),
        (300, 100),
        (71, 10), (79, 23), (81, 25), (100, 30), (30, 80), (60, 20), (12, 40), (1000, 3),
    ])
    func `every size shows its lines, none of them too wide, and no control character`(columns: Int, rows: Int) {
        var reader = SampleReader(Self.archive(), columns: columns, rows: rows)
        let keys: [ReaderKey] = [
            .pageUp, .home, .end, .character("c"), .escape, .character("?"), .pageDown, .escape, .control("k"), .down,
            .escape, .character("/"), .character("a"), .tab, .enter, .character("n"), .escape, .character("g"), .escape,
        ]
        for key in keys {
            reader.press(key)
            let screen = reader.model.screen
            #expect(screen.lines.count == max(3, rows), "\(key)")
            #expect(screen.lines.allSatisfy { $0.width <= max(1, columns) }, "\(key) \(screen.text)")
            for scalar in screen.text.joined().unicodeScalars {
                #expect(scalar.properties.generalCategory != .control, "\(key)")
                #expect(!(0x202A...0x202E).contains(scalar.value))
            }
        }
    }

    @Test func `a new size keeps the place`() throws {
        var reader = SampleReader(SampleArchive(300))
        reader.press(.pageUp, .pageUp)
        let top = try #require(reader.numbers.first)
        reader.perform(reader.model.resize(ScreenSize(columns: 40, rows: 10)))
        #expect(reader.numbers.first == top)
        reader.perform(reader.model.resize(ScreenSize(columns: 120, rows: 50)))
        #expect(reader.numbers.contains(top))
    }

    @Test func `texts begin in their column, whatever the letters`() {
        var archive = SampleArchive(0)
        for (number, name) in ["alice", "민수", "さくら"].enumerated() {
            archive.messages.append(SampleArchive.message(number, "|text", by: name))
        }
        let reader = SampleReader(archive)
        let columns = Set(
            reader.lines.filter { $0.contains("|text") }.map { DisplayWidth.of(String($0.prefix { $0 != "|" })) })
        #expect(columns == [39])
    }

    @Test func `y copies the text, Y the id, and o opens a link`() {
        var archive = SampleArchive(1)
        archive.say("see https://example.org/a and more")
        var reader = SampleReader(archive)
        reader.type("yYo")
        #expect(
            reader.effects == [
                .copy("see https://example.org/a and more"), .copy("2026-11-21T00:10:00.000000Z"),
                .open("https://example.org/a"),
            ])
        reader.press(.up)
        reader.type("o")
        #expect(reader.bottom.hasPrefix("the message has no link"))
    }

    @Test func `one of several links is chosen by its number`() {
        var archive = SampleArchive(1)
        archive.say("https://example.org/a https://example.org/b")
        var reader = SampleReader(archive)
        reader.type("o")
        #expect(reader.bottom.hasPrefix("open: 1 https://example.org/a  2 https://example.org/b"))
        reader.type("2")
        #expect(reader.effects == [.open("https://example.org/b")])
    }

    @Test func `m marks the room as read, and says why a shared archive can't be marked`() {
        var reader = SampleReader(SampleArchive(30))
        reader.type("m")
        #expect(reader.effects == [.markRead(SampleArchive.room, through: reader.archive.messages[29].id)])
        reader.perform(reader.model.marked(SampleArchive.room, failure: nil))
        #expect(reader.bottom.hasPrefix("marked as read"))
        var shared = SampleReader(SampleArchive(30), marksNothing: "a shared archive has no marks")
        shared.type("m")
        #expect(shared.effects.isEmpty)
        #expect(shared.bottom.hasPrefix("a shared archive has no marks"))
    }

    @Test func `m marks all of the room at its end, also when the gap there is selected`() {
        var archive = SampleArchive(30)
        let from = archive.messages[29].id.time.advanced(by: .seconds(60))
        let missing = Gap.Missing(reason: "stopped")
        archive.gaps = [Gap(account: "demo", room: "lobby", from: from, to: nil, kind: .gap(missing))]
        var reader = SampleReader(archive)
        #expect(reader.model.shown.history.selectedRow?.gap != nil)
        reader.type("m")
        #expect(reader.effects == [.markRead(SampleArchive.room, through: archive.messages[29].id)])
    }

    @Test func `J hides joins, and u shows the names of today`() {
        var reader = SampleReader(SampleArchive(30))
        reader.type("J")
        #expect(reader.model.shown.choice.hidden.hidesNoise)
        reader.type("Ju")
        #expect(!reader.model.shown.choice.hidden.hidesNoise)
        #expect(reader.model.shown.choice.names == .now)
        #expect(reader.numbers.last == 30)
    }

    @Test func `the keys fit a terminal of 80 columns and 24 lines`() {
        var reader = SampleReader(SampleArchive(3))
        reader.type("?")
        #expect(KeyHelp.keys.count <= 22)
        for (key, text) in KeyHelp.keys {
            #expect(reader.lines.contains { $0.contains(key) && $0.hasSuffix(text) }, "\(key)")
        }
        reader.type("x")
        #expect(reader.numbers.last == 3)
    }

    @Test func `the clipboard gets Base64`() {
        #expect(
            ["", "f", "fo", "foo", "foob"].map { Base64.text(Array($0.utf8)) } == [
                "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==",
            ])
    }
}
