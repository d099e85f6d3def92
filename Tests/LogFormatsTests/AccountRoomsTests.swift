import ChatModel
import Testing

@testable import LogFormats

/// Logs whose program had to alter the room's name for the name of a file.
struct AccountRoomsTests {
    struct Altered: CustomTestStringConvertible {
        let format: any LogFormat.Type
        let path: String
        let line: String
        /// The room in the account, and the name without it.
        let room: (known: String, inFile: String)

        var testDescription: String { "\(format.name): \(path)" }

        init(_ format: any LogFormat.Type, _ path: String, _ line: String, _ known: String, _ inFile: String) {
            (self.format, self.path, self.line, room) = (format, path, line, (known, inFile))
        }
    }

    private static let altered = [
        Altered(
            IrssiFormat.self, "irclogs/libera/#mix_ed.log",
            "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice> hi\n", "#Mix/ed", "#mix_ed"),
        Altered(
            IrssiFormat.self, "irclogs/libera/#mix_ed.11-21.log",
            "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice> hi\n", "#Mix:ed", "#mix_ed"),
        Altered(
            IrssiFormat.self, "irclogs/libera/alice_discord.log",
            "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice/discord> hi\n", "alice/discord", "alice_discord"),
        Altered(
            WeeChatFormat.self, "irc.libera.#mix_ed.weechatlog", "2026-11-21 06:23:11\talice\thi\n", "#Mix/ed",
            "#mix_ed"),
        Altered(
            ZNCFormat.self, "libera/#mix-ed/2026-11-21.log", "[06:23:11] <alice> hi\n", "#Mix/ed", "#mix-ed"),
        Altered(
            ZNCFormat.self, "libera/#mix-ed/2026-11-21.log", "[06:23:11] <alice> hi\n", "#mix\\ed", "#mix-ed"),
        Altered(
            HexChatFormat.self, "logs/libera/#mix_ed.log",
            "**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026\n\nNov 21 06:23:11 <alice>\thi\n", "#Mix/ed", "#mix_ed"),
        Altered(
            CatgirlFormat.self, "log/libera/#Mix_ed/2026-11-21.log", "[2026-11-21T06:23:11+0900] <alice> hi\n",
            "#Mix/ed", "#Mix_ed"),
        Altered(IIFormat.self, "irc.example.net/#______/out", "1795242191 <alice> hi\n", "#한국", "#______"),
        Altered(
            KonversationFormat.self, "logs/libera_#mix_ed.log",
            "[Saturday, 21 November 2026] [06:23:11 +0900] <alice>\thi\n", "#Mix/ed", "#mix_ed"),
        Altered(
            LimnoriaFormat.self, "ChannelLogger/libera/#mixed/#mixed.log", "2026-11-21T06:23:11  <alice> hi\n",
            "#Mix/ed", "#mixed"),
        Altered(
            SopelFormat.self, "logs/mix__ed-2026-11-21.log", "2026-11-21T06:23:11+00:00  <alice> hi\n", "#Mix/ed",
            "mix__ed"),
    ]

    private func room(of log: Altered, in rooms: [String]) throws -> String? {
        let read = try LogReading(log.format, log.line, path: log.path, rooms: rooms)
        #expect(read.told.last == (log.path.contains("discord") ? "alice/discord: hi" : "alice: hi"))
        return read.messages.last?.room
    }

    @Test(arguments: altered)
    func `a log belongs to the only room whose name its program writes so`(log: Altered) throws {
        #expect(try room(of: log, in: []) == log.room.inFile)
        #expect(try room(of: log, in: ["#example", log.room.known]) == log.room.known)
    }

    @Test(arguments: altered)
    func `a room that has the name of the file keeps its log`(log: Altered) throws {
        let rooms = [log.room.known, log.room.inFile.uppercased()]
        #expect(try room(of: log, in: rooms) == log.room.inFile)
    }

    @Test func `of two rooms whose names a program writes alike, the log belongs to neither`() throws {
        let log = Self.altered[0]
        #expect(try room(of: log, in: ["#Mix/ed", "#mix:ed"]) == "#mix_ed")
    }

    @Test func `another mark than the program's makes another room`() throws {
        for (log, room) in [(Self.altered[0], "#mix-ed"), (Self.altered[4], "#mixed"), (Self.altered[3], "#mix:ed")] {
            #expect(try self.room(of: log, in: [room]) == log.room.inFile)
        }
    }

    @Test func `the room that the user names counts`() throws {
        let log = Self.altered[0]
        let read = try LogReading(log.format, log.line, path: log.path, room: "#mix_ed", rooms: ["#Mix/ed"])
        #expect(read.messages.map(\.room) == ["#mix_ed"])
    }

    @Test func `the room that the log's lines name counts`() throws {
        let line = "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 -!- bob [~bob@host] has joined #mix_ed\n"
        let read = try LogReading(IrssiFormat.self, line, path: "irclogs/libera/#mix_ed.log", rooms: ["#Mix/ed"])
        #expect(read.messages.map(\.room) == ["#mix_ed"])
    }

    @Test(arguments: [
        ("-!- dave [~d@h] has joined #Mix/ed", "#Mix/ed"), ("-!- mode/#Mix/ed [+o bob] by dave", "#Mix/ed"),
        ("< dave> join #Mix/ed", nil), ("-!- dave [~d@h] has joined #mix_ed", nil), ("< dave> hi", nil),
    ])
    func `a log's own lines name its room, and people's words don't`(line: String, room: String?) {
        let text = "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 \(line)\n"
        let source = LogReading.source(Array(text.utf8), path: "irclogs/libera/#mix_ed.11-21.log")
        #expect(IrssiFormat.alteredRoom(of: source) == room)
        #expect(EnergymechFormat.alteredRoom(of: source) == nil)
    }

    @Test func `a room has another form in the path, as the path writes it`() {
        #expect(IrssiFormat.alteredName(of: "#Mix/ed", in: "irclogs/libera/#mix_ed.log") == "#mix_ed")
        #expect(IrssiFormat.alteredName(of: "#Mix/ed", in: "irclogs/libera/#other.log") == nil)
        #expect(IrssiFormat.alteredName(of: "#mix_ed", in: "irclogs/libera/#mix_ed.log") == nil)
        #expect(SopelFormat.alteredName(of: "#example", in: "logs/example-2026-11-21.log") == "example")
    }
}
