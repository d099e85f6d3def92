import ChatModel
import Testing

@testable import LogFormats

struct ZNCTests {
    private static let text = """
        [06:23:11] <alice> hi
        [06:23:11] * alice waves
        [06:23:12] *** Joins: bob (~bob@host)
        [06:23:13] *** Parts: bob (~bob@host) (bye (for now))
        [06:23:14] *** Quits: eve (~eve@host) (Quit: [x])
        [06:23:15] *** bob was kicked by alice (why)
        [06:23:16] *** alice is now known as 민수
        [06:23:17] *** 민수 sets mode: +o bob
        [06:23:17] *** Server sets mode: +nt\u{20}
        [06:23:18] *** 민수 changes topic to 'it's "new"'
        [06:23:19] -bob- psst
        [06:23:20] Disconnected from IRC (irc.example.net +6697)

        """

    private static let told = [
        "alice: hi", "action alice: waves", "join bob", "leave bob: bye (for now)", "leave eve: Quit: [x]",
        "kick alice: bob: why", "rename alice: 민수", "mode 민수: +o bob", "mode Server: +nt",
        "topic 민수: it's \"new\"", "notice bob: psst", "system: Disconnected from IRC (irc.example.net +6697)",
    ]

    @Test func `each line of ZNC's is what it says, to the second`() throws {
        let read = try LogReading(ZNCFormat.self, Self.text, path: "log/libera/#example/2026-11-21.log")
        #expect(read.told == Self.told)
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect && $0.resolution == .second })
        #expect(read.times.first == "21T06:23:11")
        #expect(read.assumptions == [])
    }

    @Test func `where energymech fits too, it gives the same messages`() throws {
        let path = "log/libera/#example/2026-11-21.log"
        let (znc, energymech) = (
            try LogReading(ZNCFormat.self, Self.text, path: path),
            try LogReading(EnergymechFormat.self, Self.text, path: path)
        )
        #expect(znc.parsed == energymech.parsed)
    }

    @Test(arguments: [
        ("/home/alice/.znc/users/alice/networks/libera/moddata/log/#example/2026-11-21.log", "#example", false),
        ("log/libera/bob/2026-11-21.log", "bob", true), ("log/libera/status/2026-11-21.log", "status", false),
        ("moddata/log/#example_20261121.log", "#example", false),
        ("moddata/log/alice_libera_#party2026_20261121.log", "#party2026", false),
        ("moddata/log/alice_libera_bob_1_20261121.log", "bob_1", true),
        ("users/alice/moddata/log/libera_bob_20261121.log", "bob", true),
        ("users/alice/networks/libera/moddata/log/bob_1_20261121.log", "bob_1", true),
    ])
    func `the path tells the room and the day`(path: String, room: String, isDirect: Bool) throws {
        let read = try LogReading(ZNCFormat.self, "[06:23:11] <alice> hi", path: path)
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect])
        #expect(read.times == ["21T06:23:11"])
        #expect(try LogReading(ZNCFormat.self, "[06:23:11] <a> b", path: path, room: "#x").messages.first?.room == "#x")
    }

    @Test func `the window where ZNC writes about its connections is recognised, and its lines are the system's`()
        throws
    {
        let (text, path) = ("[06:23:11] Connected to IRC (127.0.0.1 6667)\n", "log/libera/status/2026-11-21.log")
        #expect(Export.recognising(text, path: path) == ["znc"])
        #expect(Export.recognising(text, path: "log/libera/bob/2026-11-21.log") == [])
        #expect(try LogReading(ZNCFormat.self, text, path: path).told == ["system: Connected to IRC (127.0.0.1 6667)"])
    }

    @Test func `a time may tell its date, else the path has to`() throws {
        let text = "[2026-11-21 06:23:11] <alice> hi\n[2026-11-20 06:23:11] <alice> hi"
        let read = try LogReading(ZNCFormat.self, text, path: "#example/all.log")
        #expect(read.times == ["21T06:23:11", "20T06:23:11 after 21T06:23:11"])
        #expect(throws: LogSourceError.noDate) {
            try LogReading(ZNCFormat.self, "[06:23:11] <alice> hi", path: "#example/all.log")
        }
        #expect(throws: LogSourceError.noRoom) {
            try LogReading(ZNCFormat.self, "[06:23:11] <alice> hi", path: "2026-11-21.log")
        }
    }
}
