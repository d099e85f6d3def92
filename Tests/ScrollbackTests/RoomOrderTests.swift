import ChatModel
import Testing

@testable import Operations

struct RoomOrderTests {
    @Test func `rooms are sorted by name within an account, without regard to kind and case`() {
        var direct = room("alice", id: 1)
        direct.kind = .direct
        let rooms = [
            room("zeta", id: 2, account: "a"), room("Book club", id: 3), room("family", id: 4), direct,
        ]
        #expect(
            RoomsOperation.sorted(rooms, by: .name).map(\.name) == ["zeta", "alice", "Book club", "family"])
    }

    @Test func `letters with accents stand beside those without, and composed names with decomposed ones`() {
        let names = ["ወንድም", "Zoë", "alice", "Øystein", "Zoe\u{308}", "bob", "경기"]
        let rooms = names.enumerated().map { room($1, id: Int64($0)) }
        #expect(
            RoomsOperation.sorted(rooms, by: .name).map(\.id) == [2, 5, 3, 1, 4, 0, 6])
    }
}
