import ChatModel
import Testing

@Suite struct MessageQueryTests {
    @Test(arguments: [0, -1, 1001, .max])
    func `a limit outside 1 to 1000 is refused`(limit: Int) {
        #expect(throws: QueryError.self) { try MessageQuery(scope: .accounts(["demo"]), limit: limit) }
    }

    @Test func `an empty list of accounts and a repeated account or room are refused`() {
        #expect(throws: QueryError.self) { try MessageQuery(scope: .accounts([])) }
        let accounts = #expect(throws: QueryError.self) { try MessageQuery(scope: .accounts(["demo", "demo"])) }
        #expect(accounts?.detail == "account \"demo\" is named twice")
        let room = RoomKey(account: "demo", id: 1)
        #expect(throws: QueryError.self) { try MessageQuery(scope: .rooms([])) }
        let rooms = #expect(throws: QueryError.self) { try MessageQuery(scope: .rooms([room, room])) }
        #expect(rooms?.detail == "room \"demo/1\" is named twice")
    }
}
