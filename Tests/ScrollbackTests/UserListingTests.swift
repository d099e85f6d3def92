import ChatModel
import Foundation
import Testing

@testable import Rendering

struct UserListingTests {
    private func listing(showsRoom: Bool = false) -> Listing<User> {
        User.listing(time: LocalTime(zone: .gmt), showsAccounts: false, showsRoom: showsRoom)
    }

    @Test func `earlier names differ from the latest, with the last day of their use`() {
        let text = listing().render([user("alice", earlier: ["al", "ally"]), user("bob")], format: .text)
        #expect(
            text == """
                USER   ID  SELF  FIRST SEEN           EARLIER NAMES
                alice   7  -     2026-11-18 06:23:11  ally (until 2026-11-20), al
                bob     7  -     2026-11-20 06:23:11  -

                """)
    }

    @Test func `the table has five of many earlier names, and the number of others`() {
        let text = listing().render([user("z", earlier: (1...12).map { "n\($0)" })], format: .text)
        #expect(text.contains("n12 (until 2026-11-20), n11, n10, n9, n8, and 7 more\n"))
    }

    @Test func `in a room, users have their times of joining and leaving`() {
        let membership = User.Membership(room: "lobby", joinedAt: sampleTime, leftAt: nil)
        let text = listing(showsRoom: true).render([user("alice", membership: membership)], format: .text)
        #expect(text.contains("JOINED               LEFT  EARLIER NAMES"))
        #expect(text.contains("2026-11-21 06:23:11  -     -\n"))
    }

    @Test func `hostile names are escaped`() {
        let text = listing().render([user("\u{1B}[2J", earlier: ["\u{202E}a\n"])], format: .text)
        #expect(text.contains("\\u{1B}[2J"))
        #expect(text.contains("\\u{202E}a\\u{A} (until"))
    }
}
