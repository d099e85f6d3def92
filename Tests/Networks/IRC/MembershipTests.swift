import TestSupport
import Testing

@testable import IRCWire

final class MembershipTests {
    private var membership = Membership(nick: Array("me"), mapping: .rfc1459)
    private var support = ISupport()

    private func effect(_ line: String) -> String? {
        membership.receive(IRCMessage(line), support: support).map { effect in
            effect.rooms.map(\.text).joined(separator: " ") + (effect.isOwn ? " own" : "")
        }
    }

    private func effects(_ lines: String...) -> [String?] { lines.map(effect) }

    private func members(_ room: String) -> [String] { membership.members(of: Array(room)).map(\.text) }

    @Test func `our JOIN begins a room, whose members are the listed and the joining users`() {
        #expect(effects(":bob!u@h JOIN #a", ":Me!u@h JOIN #A") == [nil, "#A own"])
        #expect(membership.isListed(Array("#a")) == false)
        #expect(
            effects(":s 353 me = #a :@me +al!u@h @+Bob", ":s 353 me = #a :~x", ":s 366 me #a :End") == [nil, nil, nil])
        #expect(members("#a") == ["~x", "al", "Bob", "me"])
        #expect(membership.isListed(Array("#a")) == true && membership.joined == [Array("#A")])
        #expect(effects(":carol!u@h JOIN #a carol :Carol", ":al!u@h PART #a :bye") == ["#a", "#A"])
        #expect(members("#a") == ["~x", "Bob", "carol", "me"])
    }

    @Test func `QUIT and NICK affect the user's rooms`() {
        _ = effects(":me JOIN #a", ":me JOIN #b", ":me JOIN #c", ":s 353 me = #a :me al", ":s 353 me = #c :me AL bob")
        #expect(
            effects(":al!u@h NICK Al2", ":nobody NICK x", ":AL2!u@h QUIT :bye", ":al2 QUIT") == [
                "#a #c", "", "#a #c", "",
            ])
        #expect(members("#c") == ["bob", "me"])
    }

    @Test func `the account's own actions are recognised`() {
        _ = effects(":me JOIN #a", ":me JOIN #b", ":me JOIN #c")
        #expect(
            effects(":me NICK You", ":YOU PART #a", ":op KICK #b you :out") == ["#a #b #c own", "#a own", "#b own"])
        #expect(membership.nick == Array("You") && membership.joined == [Array("#c")])
        #expect(effects(":you QUIT :bye", ":you JOIN #d") == ["#c own", "#d own"])
        #expect(membership.joined == [Array("#d")])
    }

    @Test func `a KICK of several users affects each`() {
        _ = effects(":me JOIN #a", ":me JOIN #b", ":s 353 me = #a :me al bob", ":s 353 me = #b :me al")
        #expect(
            effects(":op KICK #a al,bob", ":op KICK #a,#b me,al", ":op KICK #a,#b,#c x") == ["#a", "#a #b own", nil])
        #expect(members("#b") == ["me"] && !membership.isJoined(Array("#a")))
    }

    @Test func `an unlisted user who leaves our room was in it`() {
        _ = effects(":me JOIN #a", ":s 353 me = #a :me al", ":s 366 me #a :End")
        #expect(
            effects(":bob PART #a", ":bob PART #a,#A,#x", ":al KICK #a carol", ":bob PART #x") == [
                "#a", "#a", "#a", nil,
            ])
        #expect(members("#a") == ["al", "me"])
    }

    @Test func `a replay changes no membership`() {
        _ = effects(":me JOIN #a", ":s 353 me = #a :me al")
        for line in [":al QUIT", ":bob JOIN #a", ":me PART #a", ":me NICK x", ":op KICK #a al", ":op RENAME #a #b"] {
            #expect(membership.receive(IRCMessage(line), support: support, isReplay: true) == nil)
        }
        #expect(members("#a") == ["al", "me"] && membership.nick == Array("me"))
    }

    @Test func `rooms that we have not joined are ignored`() {
        #expect(
            effects(":s 353 me = #x :al", ":s 366 me #x :End", ":al PART #x", ":al QUIT", "JOIN #x") == [
                nil, nil, nil, "", nil,
            ])
        #expect(membership.rooms.isEmpty)
    }

    @Test func `joining again starts with no members`() {
        _ = effects(":me JOIN #a", ":s 353 me = #a :me al", ":s 366 me #a :End", ":me PART #a", ":me JOIN #a")
        #expect(members("#a") == ["me"] && membership.isListed(Array("#a")) == false)
    }

    @Test func `a renamed room keeps its members`() {
        _ = effects(":me JOIN #a", ":s 353 me = #a :me al")
        #expect(effects(":op RENAME #a #b :why", ":al QUIT", ":op RENAME #a #c :why") == ["#a", "#b", nil])
    }

    @Test func `names fold by the server's mapping, even if it comes late`() {
        _ = effects(":me JOIN #x[]", ":s 353 me = #x{} :me Al[] al{}")
        #expect(members("#x[]").count == 2)
        _ = support.receive(IRCMessage("005 me CASEMAPPING=ascii :are"))
        #expect(effects(":al{} QUIT", ":me PART #x{}", ":me PART #X[]") == ["#x[]", nil, "#x[] own"])
    }

    @Test func `the number of members is limited, and the list is then partial`() {
        var limits = Membership.Limits()
        (limits.members, limits.rooms) = (3, 1)
        membership = Membership(nick: Array("me"), mapping: .ascii, limits: limits)
        _ = effects(":me JOIN #a", ":s 353 me = #a :me a b c d")
        #expect(members("#a").count == 3 && membership.isPartial)
        #expect(effects(":me JOIN #b", ":c PART #a", ":b PART #a") == [nil, "#a", "#a"])
        #expect(effects(":e JOIN #a", ":e QUIT") == ["#a", "#a"])
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `random lines never trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let verbs = ["JOIN", "PART", "KICK", "NICK", "QUIT", "RENAME", "353", "366"]
        let words = ["me", "al", "#a", "#b", "#a,#b", ",", "@me", "", "me,al", "="]
        _ = effect(":me JOIN #a")
        for _ in 0..<300 {
            let params = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Array(words.randomElement(using: &random) ?? "")
            }
            let source = IRCSource(Array(words.randomElement(using: &random) ?? ""))
            let message = IRCMessage(source: source, verbs.randomElement(using: &random) ?? "", params)
            _ = membership.receive(message, support: support)
        }
        let members = membership.rooms.values.reduce(0) { $0 + $1.members.count }
        #expect(members == membership.memberCount)
    }
}
