import ChatModel
import Testing

@testable import LogFormats

/// The rooms of logs.
extension IrssiTests {
    @Test(arguments: [
        ("irclogs/libera/#example.log", "#example", false), ("#example.2026-11-21.log", "#example", false),
        ("irclogs/libera/alice.log", "alice", true), ("irclogs/libera/libera.log", "libera", false),
        ("logs/#example/a.log", "#example", false),
        ("example.log", "example", false), ("irclogs/2026/libera/#example.dev.11-21.log", "#example.dev", false),
        ("irclogs/libera/alice/2026-11-21.log", "alice", true), ("libera/alice.log", "alice", true),
    ])
    func `the path gives the room`(path: String, room: String, isDirect: Bool) throws {
        let read = try read("--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice> hi", path: path)
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect])
    }

    @Test func `lines can give the room, and the name or each time the day`() throws {
        let join = "06:23 < bob> hi\n06:23 -!- alice [~a@host] has joined #other\n"
        #expect(try read(join, path: "2026-11-21.log").messages.map(\.room) == ["#other", "#other"])
        #expect(try read("2026-11-21 06:23:11 < alice> hi").times == ["21T06:23:11"])
        #expect(try read("[2026-11-21 06:23:11] < alice> hi").times == ["21T06:23:11"])
    }

    @Test(arguments: [
        ("#example.11-27.log", true), ("#example.27-11.log", true), ("#example-2026-11.log", true),
        ("#example.2026.log", true), ("#example.27.log", true), ("#example.26-11-27.log", true),
        ("#example_1127.log", true), ("#example.202611.log", true), ("#example-Nov-2026.log", true),
        ("#example.Nov.2026.log", true), ("#example.2026-Nov.log", true), ("#example.nov.log", true),
        ("#example_27-November-2026.log", true), ("#example.20261127-063000.log", false),
        ("#example_20261127.log", false),
        ("#example.27Nov2026", false), ("#example.log.1", false), ("#example.log.old", false), ("#example.log~", false),
        ("#example.11-27.log.12", true),
        ("#example.log-20261127", false), ("#example.2026-W48.log", true), ("#example.W48.log", true),
    ])
    func `a date at the end of a file's name is not part of the room`(name: String, isGuessed: Bool) throws {
        let text = "--- Log opened Fri Nov 27 06:23:11 2026\n06:23 < alice> hi"
        let read = try read(text, path: "irclogs/libera/" + name)
        #expect(read.messages.map(\.room) == ["#example"])
        #expect(read.roomBeforeDate == (isGuessed ? "#example" : nil))
        #expect(read.assumptions == [])
        let direct = try self.read(text, path: "irclogs/libera/" + name.replacing("#example", with: "bob"))
        #expect(direct.messages.map(\.room) == ["bob"])
        #expect(direct.messages.map(\.isDirect) == [true])
    }

    @Test(arguments: [
        // Another day, or several.
        ("#example.11-26.log", "#example.11-26"), ("#example.28.log", "#example.28"), ("#example.7.log", "#example.7"),
        ("#example.2026-W47.log", "#example.2026-W47"), ("#example-W48.log", "#example-W48"),
        ("#example.Oct.2026.log", "#example.Oct.2026"), ("#example-nov.log", "#example-nov"),
        ("#example.Nov.2025.log", "#example.Nov.2025"), ("#example.nova.log", "#example.nova"),
        // The name of an event, or a nick.
        ("#example-2026.log", "#example-2026"), ("bob_27.log", "bob_27"), ("#example2026.log", "#example2026"),
    ])
    func `digits that are not the log's date stay in the room's name`(name: String, room: String) throws {
        let text = "--- Log opened Fri Nov 27 06:23:11 2026\n06:23 < alice> hi"
        #expect(try read(text, path: "irclogs/libera/" + name).messages.map(\.room) == [room])
        let days = text + "\n--- Day changed Sat Nov 28 2026\n06:23 < alice> hi"
        let longer = try self.read(days, path: "irclogs/libera/#example.27.log")
        #expect(Set(longer.messages.map(\.room)) == ["#example.27"])
    }

    @Test(arguments: [
        ("#mix_ed.log", "#Mix/ed", "#Mix/ed"), ("#mix_ed.11-27.log", "#Mix/ed", "#Mix/ed"),
        ("#example-2026.log", "#example", "#example"), ("#example.2026.log", "#example.2026", "#example.2026"),
        ("#example.log", "#other", "#example"), ("mix__ed-2026-11-27.log", "#Mix/ed", "#Mix/ed"),
    ])
    func `lines give the room's spelling`(name: String, joined: String, room: String) throws {
        let read = try read(
            "--- Log opened Fri Nov 27 06:23:11 2026\n06:23 -!- alice [~a@host] has joined \(joined)",
            path: "libera/" + name)
        #expect(read.messages.map(\.room) == [room])
    }

    @Test func `a query's first line gives the person and marks it as a conversation`() throws {
        let read = try read(
            "--- Log opened Fri Nov 27 06:23:11 2026\n06:23 -!- Irssi: Starting query in libera with al/ice\n06:23 <al/ice> hi",
            path: "libera/al_ice.log")
        #expect(Set(read.messages.map(\.room)) == ["al/ice"])
        #expect(read.messages.allSatisfy { $0.isDirect })
    }
}
