import ChatModel
import Testing

/// Which rule is for which room.
struct RetentionRulesTests {
    @Test(arguments: [
        ("*", "#example", true), ("#example", "#Example", true), ("#ex*", "#example", true), ("*bot*", "#robots", true),
        ("#bot?", "#bots", true), ("#bot?", "#bot", false), ("#bot?", "#bot봇", true), ("#가*", "#가족", true),
        ("#가*", "#나", false), ("", "", true), ("", "x", false), ("*", "", true), ("?", "", false),
        ("a*b*c", "aXXbYYc", true), ("a*b*c", "aXXcYYb", false), ("**a", "bba", true), ("#[x]", "#[x]", true),
        ("#É*", "#éclair", true), ("#café", "#cafe\u{301}", true),
        // Another room: what a rule removes is gone.
        ("#cafe", "#café", false), ("#strasse", "#straße", false),
    ])
    func `a pattern applies to the names that it matches`(pattern: String, name: String, matches: Bool) {
        #expect(RoomPattern(pattern).matches(name) == matches)
    }

    @Test func `no pattern takes long to match`() {
        let pattern = String(repeating: "a*", count: 100) + "b"
        #expect(!RoomPattern(pattern).matches(String(repeating: "a", count: 2000)))
    }

    private func age(_ hours: Int) -> RetentionAge { RetentionAge(text: "\(hours)h", duration: .seconds(hours * 3600)) }
    private let forever = RetentionAge(text: "forever", duration: nil)

    @Test func `the first table that matches a room and has the part decides`() {
        let rules = RetentionRules(tables: [
            .init(rooms: [RoomPattern("#board")], ages: [.messages: forever]),
            .init(rooms: [RoomPattern("#b*")], ages: [.messages: age(1)], minMessages: 5),
            .init(ages: [.messages: age(2), .joins: age(3), .raw: age(4)], minMessages: 2),
        ])
        #expect(rules.rule(for: .messages, room: "#board") == nil)
        #expect(rules.rule(for: .messages, room: "#bots")?.text == "max_age = \"1h\" for #b*")
        #expect(rules.rule(for: .messages, room: "#bots")?.withoutRooms.text == "max_age = \"1h\"")
        #expect(rules.rule(for: .messages, room: "#x")?.text == "max_age = \"2h\"")
        #expect(rules.rule(for: .joins, room: "#bots")?.text == "max_age = \"1h\" for #b*", "joins go with messages")
        #expect(rules.rule(for: .joins, room: "#x")?.text == "joins_max_age = \"3h\"")
        #expect(rules.rule(for: .files, room: "#x") == nil)
        #expect(rules.rawRule?.text == "raw_max_age = \"4h\"")
        #expect(rules.minMessages(room: "#bots") == 5 && rules.minMessages(room: "#x") == 2)
    }

    @Test func `rules that keep everything count as no rules`() {
        #expect(RetentionRules().isEmpty)
        #expect(RetentionRules(tables: [.init(ages: [.messages: forever], minMessages: 3)]).isEmpty)
        #expect(!RetentionRules(tables: [.init(ages: [.raw: age(1)])]).isEmpty)
    }

    @Test func `a waiting rule removes nothing, and no later table replaces it`() {
        var rules = RetentionRules(tables: [.init(ages: [.messages: age(1)]), .init(ages: [.messages: age(2)])])
        rules.waiting = ["max_age = \"1h\""]
        #expect(rules.rule(for: .messages, room: "#x") == nil)
    }
}
