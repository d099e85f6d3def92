import ChatModel
import Testing

@testable import Operations
@testable import Rendering

struct RoomResolverTests {
    private let rooms = [
        room("lobby", id: 1), room("#swift", id: 2), room("#우리집", id: 3), room("a/b", id: 4), room("Lobby2", id: 5),
        room("12", id: 6), room("café", id: 7), room("\u{1B}evil", id: 8),
        room("lobby", id: 1, account: "work"), room("#swift", id: 12, account: "work"),
        room("swift", id: 13, account: "work"),
    ].map(\.named)

    private func resolve(_ argument: String) throws -> String {
        let room = try RoomResolver(rooms: rooms, folder: "data").resolve(argument)
        return "\(room.account) \(room.id)"
    }

    @Test(arguments: [
        ("demo/lobby", "demo 1"), ("work/lobby", "work 1"), ("DEMO/LOBBY", "demo 1"),
        ("demo/#swift", "demo 2"), ("demo/swift", "demo 2"), ("swift", "work 13"), ("work/#swift", "work 12"),
        ("우리집", "demo 3"), ("#\u{110B}\u{116E}\u{1105}\u{1175}\u{110C}\u{1175}\u{11B8}", "demo 3"),
        ("a/b", "demo 4"), ("demo/a/b", "demo 4"), ("lobby2", "demo 5"),
        ("12", "demo 6"), ("work/12", "work 12"), ("3", "demo 3"), ("demo/2", "demo 2"),
        ("CAFE\u{301}", "demo 7"), ("cafe", "demo 7"),
    ])
    func `a room is found by its name, account and name, or id`(argument: String, found: String) throws {
        #expect(try resolve(argument) == found)
    }

    @Test func `an ambiguous name lists the choices`() throws {
        let error = try #require(throws: OperationError.self) { try resolve("lobby") }
        #expect(error.description.contains("demo/lobby, work/lobby"))
    }

    @Test func `an unknown name gets the nearest and the searched folder`() throws {
        let error = try #require(throws: OperationError.self) { try resolve("loby2") }
        #expect(error.description.contains("in data"))
        #expect(error.description.contains("did you mean \"Lobby2\"?"))
    }

    @Test(arguments: [
        ("cafe2", "did you mean \"café\"?"), ("ＳＷＩＦＴ２", "did you mean \"swift\""),
        ("work/lobbi", "did you mean \"work/lobby\"?"),
    ])
    func `an unknown name gets near ones, whatever its spelling`(argument: String, question: String) throws {
        let error = try #require(throws: OperationError.self) { try resolve(argument) }
        #expect(error.code == .unknownRoom && error.description.contains(question), "\(error.description)")
    }

    @Test func `an empty room does not hide the channel with its name`() throws {
        let rooms = [
            NamedRoom(account: "libera", network: "irc", id: 1, name: "linux", isEmpty: true),
            NamedRoom(account: "libera", network: "irc", id: 2, name: "#linux"),
        ]
        let resolver = RoomResolver(rooms: rooms, folder: "data")
        #expect(try ["linux", "LINUX", "libera/linux"].map(resolver.resolve) == [rooms[1], rooms[1], rooms[1]])
        #expect(try resolver.resolve(resolver.name(of: rooms[0])) == rooms[0])
        #expect(try RoomResolver(rooms: [rooms[0]], folder: "data").resolve("linux") == rooms[0])
    }

    @Test(arguments: ["", "/", "demo/", "🏠", "\u{1B}[2J", String(repeating: "x", count: 100_000)])
    func `any argument gets an error without control characters`(argument: String) throws {
        let error = try #require(throws: OperationError.self) { try resolve(argument) }
        #expect(!error.description.unicodeScalars.contains(where: Sanitizer.isHostile))
    }

    @Test func `every room is found again by its printed name`() throws {
        let tricky =
            rooms + [
                room("b", id: 9, account: "a").named, room("a/b", id: 10, account: "z").named,
                NamedRoom(account: "slp", network: "slp", id: 1, name: "general", workspace: "acme"),
                NamedRoom(account: "slp", network: "slp", id: 2, name: "general", workspace: "초록"),
                NamedRoom(account: "slp", network: "slp", id: 3, name: "general", workspace: "초록"),
            ]
        let resolver = RoomResolver(rooms: tricky, folder: "data")
        for room in tricky {
            #expect(try resolver.resolve(resolver.name(of: room)) == room)
        }
        #expect(resolver.name(of: rooms[7]) == "demo/8")
        #expect(tricky.suffix(3).map(resolver.name(of:)) == ["slp/acme/general", "slp/2", "slp/3"])
    }

    /// Rooms of two accounts, one of them with workspaces.
    private static let libera = ["#scroll", "#swift", "#swift-dev", "#뒷이야기"].enumerated().map { number, name in
        NamedRoom(account: "libera", network: "irc", id: Int64(number + 1), name: name, earlierNames: ["#old\(number)"])
    }
    private static let work = [("acme", "general"), ("acme", "잡담"), ("초록", "general"), ("초록", "acme")]
        .enumerated().map { number, names in
            NamedRoom(
                account: "work", network: "slp", id: Int64(number + 1), name: names.1, workspace: names.0)
        }
    private let both = RoomResolver(rooms: libera + work, folder: "data", takesAccounts: true)

    @Test(arguments: [
        ("scro", "libera/#scroll"), ("SCRO", "libera/#scroll"), ("libera/scro", "libera/#scroll"),
        ("#scr", "libera/#scroll"), ("-dev", "libera/#swift-dev"), ("이야기", "libera/#뒷이야기"),
        ("swift", "libera/#swift"), ("old2", "libera/#swift-dev"), ("#OLD2", "libera/#swift-dev"),
        ("잡", "work/잡담"), ("acme/잡", "work/잡담"), ("acme/general", "work/acme/general"),
        ("work/초록/general", "work/초록/general"), ("acme", "work/acme"),
    ])
    func `a unique part, a former name and a workspace's room are found`(
        argument: String, found: String
    ) throws {
        #expect(both.name(of: try both.resolve(argument)) == found)
    }

    @Test(arguments: [
        ("swif", "2 rooms have \"swif\" in their names; choose one: libera/#swift, libera/#swift-dev [ambiguous]"),
        (
            "general",
            "room \"general\" exists in more than one place; choose one: work/acme/general, work/초록/general [ambiguous]"
        ),
        (
            "libera",
            """
            "libera" is an account, not a room; for all of its rooms, replace it with -a libera; its rooms: \
            libera/#scroll, libera/#swift, libera/#swift-dev, libera/#뒷이야기 [ambiguous]
            """
        ),
        (
            "초록",
            "\"초록\" is a workspace; this command takes one room; choose one: work/초록/general, work/acme [ambiguous]"
        ),
        (
            "초록색",
            "no room \"초록색\" in data; did you mean \"초록\"? \"scrollback rooms\" lists them [unknown-room]"
        ),
    ])
    func `an error about a room lists the rooms to choose from`(argument: String, sentence: String) throws {
        let error = try #require(throws: OperationError.self) { try both.resolve(argument) }
        #expect(error.sentence == sentence)
    }

    @Test(arguments: [
        ("Tri", false, "demo/Trip home [ambiguous]"),
        ("Tri", true, "demo/Trip home; quote a name with spaces: in:\"demo/Trip 2026\" [ambiguous]"),
        ("lob", true, "demo/lobby, demo/Lobby2, work/lobby [ambiguous]"),
    ])
    func `suggested names with spaces have quotes in a query`(
        part: String, isOfQuery: Bool, end: String
    ) throws {
        let trips = [room("Trip", id: 21), room("Trip 2026", id: 22), room("Trip home", id: 23)].map(\.named)
        let query = resolver(of: rooms + trips, isOfQuery: isOfQuery)
        let error = try #require(throws: OperationError.self) { try query.resolveEverywhere(part) }
        #expect(error.sentence.hasSuffix(end))
    }

    private func resolver(of rooms: [NamedRoom], isOfQuery: Bool) -> RoomResolver {
        var resolver = RoomResolver(rooms: rooms, folder: "data")
        resolver.isOfQuery = isOfQuery
        return resolver
    }

    @Test func `a long list of rooms is cut, and one room of two accounts can be merged`() throws {
        let many = (1...12).map { room("#r\($0)", id: Int64($0), account: "net").named }
        let part = try #require(throws: OperationError.self) {
            try RoomResolver(rooms: many, folder: "data").resolve("r")
        }
        #expect(part.sentence.hasPrefix("12 rooms have \"r\" in their names; choose one: net/#r1, net/#r2, "))
        #expect(part.sentence.hasSuffix("net/#r8, … (4 more) [ambiguous]"))
        let two = RoomResolver(rooms: rooms, folder: "data", takesAccounts: true)
        let merge = try #require(throws: OperationError.self) { try two.resolveAll("lobby") }
        #expect(
            merge.sentence.hasSuffix("choose one: demo/lobby, work/lobby; or merge them: -a demo -a work [ambiguous]"))
    }

    @Test(arguments: [
        ("acme/", ["acme/general", "acme/잡담"]), ("work/초록", ["초록/general", "초록/acme"]),
        ("초록", ["초록/general", "초록/acme"]),
        ("#scroll", ["/#scroll"]), ("acme", ["초록/acme"]),
    ])
    func `a workspace stands for all its rooms, unless a room has its name`(argument: String, found: [String]) throws {
        #expect(try both.resolveAll(argument).map { "\($0.workspace ?? "")/\($0.name)" } == found)
        #expect(try both.resolveEverywhere(argument).map { "\($0.workspace ?? "")/\($0.name)" } == found)
    }
}
