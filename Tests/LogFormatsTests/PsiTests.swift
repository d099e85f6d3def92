import ChatModel
import Testing

@testable import LogFormats

struct PsiTests {
    private func read(_ lines: String..., path: String = "history/bob_at_example.net.history") throws -> LogReading {
        try LogReading(PsiFormat.self, lines.joined(separator: "\n") + "\n", path: path)
    }

    @Test(arguments: [
        ("1|from|N---|hi", "bob@example.net: hi"), ("1|to|N---|hi", "you: hi"), ("1|from|N---|", "bob@example.net: "),
        ("1|from|N---|/me waves", "action bob@example.net: waves"), ("1|from|N---|a|b", "bob@example.net: a|b"),
        (#"1|from|N---|a\nb \p c \\n \x \"#, "bob@example.net: a\nb | c \\n \\x \\"),
        ("0|from|N1--|news|hi", "bob@example.net: news\nhi"),
        ("5|from|N2--|https://example.net|home|hi", "bob@example.net: hi\nhttps://example.net"),
        ("4|from|N---|not found", "system: not found"), ("3|from|N---|subscribe", "system: subscribe"),
    ])
    func `each line has its kind, sender and text`(line: String, told: String) throws {
        let read = try read("|2026-11-21T06:23:11|" + line)
        #expect(read.told == [told] && read.unreadable == [] && read.times == ["21T06:23:11"])
        #expect(read.messages.allSatisfy { $0.room == "bob@example.net" && $0.isDirect })
    }

    @Test(arguments: [
        "words", "|", "|2026-11-21T06:23:11|1|from|N---", "|2026-11-21T06:23:11|9|from|N---|hi",
        "|2026-11-21T06:23:11|1|by|N---|hi", "|noon|1|from|N---|hi", "|2026-11-21T06:23:11|1|from|N|hi",
        "|2026-02-30T06:23:11|1|from|N---|hi", "|06:23:11|1|from|N---|hi",
    ])
    func `another line is unreadable`(line: String) throws {
        let read = try read(line)
        #expect(read.messages.isEmpty && read.unreadable.count == 1)
    }

    @Test(arguments: [
        ("alice_at_example.net.history", "alice@example.net"),
        ("alice%2bx_at_example.net.history", "alice+x@example.net"),
        ("example.net.history", "example.net"),
    ])
    func `the file's name is the person's address`(name: String, room: String) throws {
        #expect(try read("|2026-11-21T06:23:11|1|from|N---|hi", path: name).messages.map(\.room) == [room])
    }

    @Test func `a file with another name needs a room`() {
        #expect(throws: LogSourceError.noRoom) { try read("|2026-11-21T06:23:11|1|from|N---|hi", path: "a.txt") }
    }
}
