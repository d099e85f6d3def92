import ChatModel
import Testing

@testable import Rendering
@testable import Scrollback

struct RoomResolverTests {
    private let rooms = [
        room("lobby", id: 1), room("#swift", id: 2), room("#우리집", id: 3), room("a/b", id: 4), room("Lobby2", id: 5),
        room("12", id: 6), room("café", id: 7), room("\u{1B}evil", id: 8),
        room("lobby", id: 1, account: "work"), room("#swift", id: 12, account: "work"),
        room("swift", id: 13, account: "work"),
    ]

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
        ("CAFE\u{301}", "demo 7"),
    ])
    func `a room is found by name, account and name, or id`(argument: String, found: String) throws {
        #expect(try resolve(argument) == found)
    }

    @Test func `an ambiguous name lists what to choose from`() throws {
        let error = try #require(throws: CommandError.self) { try resolve("lobby") }
        #expect(error.description.contains("demo/lobby, work/lobby"))
    }

    @Test func `an unknown name gets the nearest, and the folder that was looked into`() throws {
        let error = try #require(throws: CommandError.self) { try resolve("loby2") }
        #expect(error.description.contains("data folder data"))
        #expect(error.description.contains("did you mean \"Lobby2\"?"))
    }

    @Test(arguments: ["", "/", "demo/", "🏠", "\u{1B}[2J", String(repeating: "x", count: 100_000)])
    func `any argument is answered`(argument: String) throws {
        let error = try #require(throws: CommandError.self) { try resolve(argument) }
        #expect(!error.description.unicodeScalars.contains(where: Sanitizer.isHostile))
    }

    @Test func `every room has a name by which it is found again`() throws {
        let tricky = rooms + [room("b", id: 9, account: "a"), room("a/b", id: 10, account: "z")]
        let resolver = RoomResolver(rooms: tricky, folder: "data")
        for room in tricky {
            #expect(try resolver.resolve(resolver.name(of: room)) == room)
        }
        #expect(resolver.name(of: rooms[7]) == "demo/8")
    }
}
