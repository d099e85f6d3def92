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
}
