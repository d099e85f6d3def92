import ChatModel
import SearchText
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// The rooms that names mean, among a great many.
@Suite struct NamedRoomTests {
    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private static let names =
        (0..<200).map { "#room\($0)" } + [
            "lobby", "Lobby2", "#우리집", "#cafe\u{301}", "#O’Brien", "12", "#12", "a/b", "b", "#\u{2}bold", "bold",
            "ＷＩＤＥ", "#ǃkung",
            "#K", "#it's",
        ]

    private func fill() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            Self.names.enumerated().map { number, name in
                .said(
                    "hi", at: Int64(number), in: session, room: RoomReference(key: name, name: name, kind: .channel))
            })
        try await writer.close()
        try fixture.execute(
            "INSERT INTO room_name (room_id, first_seen_us, last_seen_us, name) VALUES (7, -9, -1, '#Old')")
    }

    @Test func `a name means the same among the rooms that it may mean as among all rooms`() async throws {
        try await fill()
        let reading = fixture.archive.reading()
        let all = try reading.namedRooms(accounts: ["demo"])
        let arguments = [
            "#room3", "ROOM3", "demo/#room3", "DEMO/Room3", "3", "demo/3", "12", "demo/12", "우리집", "demo/#우리집", "cafe",
            "CAFÉ",
            "o'brien", "o’brien", "a/b", "demo/a/b", "b", "bold", "#bold", "#BOLD", "wide", "WIDE", "!kung",
            "#\u{212A}", "it’s",
            "old", "#OLD", "demo/old", "lobby", "nothing", "room", "", "/", "demo", "demo/", "03", "-1",
            String(repeating: "/", count: 100) + "b",
        ].map(RoomArgument.init)
        let near = try reading.namedRooms(accounts: ["demo"], meantBy: arguments)
        for argument in arguments {
            let alone = try reading.namedRooms(accounts: ["demo"], meantBy: [argument])
            #expect(argument.rooms(among: alone) == argument.rooms(among: all), "\(argument.text)")
            #expect(argument.rooms(among: near) == argument.rooms(among: all), "\(argument.text)")
        }
        #expect(try reading.namedRooms(accounts: ["demo"], meantBy: [RoomArgument("#room150")]).count < 20)
        #expect(all.count >= Self.names.count)
    }

    @Test(
        arguments: [
            ("word", nil), ("word in:a", [1]), ("word in:a OR in:b", [1, 2]), ("in:a in:b", []), ("-in:a", nil),
            ("(in:a word) OR x", nil), ("in:c", []),
        ] as [(String, [Int64]?)])
    func `a search reads the gaps of the rooms alone that its query allows`(text: String, rooms: [Int64]?) {
        func room(_ account: String, _ id: Int64) -> NamedRoom {
            NamedRoom(account: account, network: "irc", id: id, name: "#\(id)")
        }
        let search = SearchScope(
            query: SearchQuery(parsing: text),
            rooms: ["a": [room("demo", 1), room("other", 9)], "b": [room("demo", 2)], "c": [room("other", 1)]])
        #expect(search.rooms(of: "demo", in: .accounts([])) == rooms)
        let both = MessageQuery.Scope.rooms([RoomKey(account: "demo", id: 2), RoomKey(account: "demo", id: 3)])
        #expect(search.rooms(of: "demo", in: both) == (rooms.map { $0.filter { $0 == 2 } } ?? [2, 3]))
    }
}
