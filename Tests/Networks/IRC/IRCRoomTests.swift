import ChatModel
import Testing

@testable import IRC

/// Who is where, and which rooms are heard.
struct IRCRoomTests {
    private func joined(_ rooms: String...) -> IRCSessionText {
        var text = IRCSessionText(rooms: rooms)
        for room in rooms {
            text.receive(":archiver!a@host JOIN \(room)", ":irc.example 353 archiver = \(room) :archiver alice bob")
        }
        text.forget()
        return text
    }

    @Test func `a room is live from the answer to our join until we leave`() {
        var text = IRCSessionText()
        #expect(text.sent == ["JOIN #example"])
        #expect(text.liveChanges.isEmpty)
        text.receive(":archiver!a@host JOIN :#Example")
        text.receive(":alice!a@host KICK #example archiver :out")
        #expect(text.liveChanges == ["#Example live", "#Example silent left"])
        #expect(text.messageTexts.suffix(2) == ["#Example join archiver", "#Example kick alice: archiver: out"])
        #expect(text.troubles == ["#Example is not archived: kicked by alice: out"])
        #expect(text.notJoined == ["#Example not_joined until 12: kicked by alice: out"])
        text.advance(to: .seconds(11))
        #expect(text.sent == ["JOIN #example"])
        text.advance(to: .seconds(12))
        #expect(text.sent == ["JOIN #example", "JOIN #example"])
        text.receive(":archiver!a@host JOIN #Example")
        #expect(text.liveChanges.last == "#Example live")
    }

    @Test func `QUIT and NICK are stored in every room of the user, and in no other`() throws {
        var text = joined("#one", "#two", "#three")
        text.receive(":bob!b@host PART #two :later")
        text.receive(":bob!b@host NICK Bobby", ":Bobby!b@host QUIT :gone", ":nobody!n@host QUIT :unknown")
        #expect(
            text.messageTexts == [
                "#two leave bob: later", "#one rename bob: Bobby", "#three rename bob: Bobby", "#one leave Bobby: gone",
                "#three leave Bobby: gone",
            ])
        let renames = text.events.filter { if case .userRenamed = $0 { true } else { false } }
        let session = text.session.id
        let user = UserReference(key: "bobby", name: "Bobby")
        let at = try #require(text.messages.dropFirst().first).receivedAt
        #expect(renames == [.userRenamed(session: session, fromKey: "bob", to: user, at: at)])
    }

    @Test func `the departure of an unlisted user is stored`() {
        var text = joined("#example")
        text.receive(
            ":irc.example 366 archiver #example :End", ":carol!c@host PART #example,#Example :bye",
            ":alice!a@host KICK #example dave :out", ":carol!c@host PART #other", ":carol!c@host QUIT :gone")
        #expect(text.messageTexts == ["#example leave carol: bye", "#example kick alice: dave: out"])
        #expect(text.liveChanges.isEmpty)
    }

    @Test func `messages under another nick of ours are still ours`() {
        var text = joined("#one")
        text.receive(
            ":archiver!a@host NICK archive", ":archive!a@host PRIVMSG #one :me", ":bob!b@h KICK #one archive :x")
        #expect(text.messages.map { $0.sender?.isSelf } == [true, true, false])
        #expect(text.liveChanges == ["#one silent left"])
    }

    @Test(arguments: [
        ("403", "no_such_room"), ("405", "not_joined"), ("437", "not_joined"), ("471", "full"), ("473", "invite_only"),
        ("474", "banned"), ("475", "bad_key"), ("476", "no_such_room"), ("477", "not_joined"), ("489", "not_joined"),
        ("520", "not_joined"),
    ])
    func `a refused room is reported with the server's text and retried`(code: String, reason: String) {
        var text = IRCSessionText(rooms: ["#example", "#other"])
        #expect(text.sent == ["JOIN #example,#other"])
        text.receive(":irc.example \(code) archiver #example :들어올 수 없다", ":archiver!a@host JOIN #other")
        #expect(text.troubles == ["#example can't be joined (\(code): 들어올 수 없다)"])
        #expect(text.notJoined == ["#example \(reason) until 11: 들어올 수 없다"])
        text.advance(to: .seconds(12))
        #expect(text.sent.last == "JOIN #example")
        text.receive("FAIL JOIN NO_WAY #example :still not")
        #expect(text.notJoined.last == "#example not_joined until 33: still not")
        text.advance(to: .seconds(25))
        #expect(text.sent.filter { $0 == "JOIN #example" }.count == 1, "twice as long")
        text.advance(to: .seconds(40))
        #expect(text.sent.filter { $0 == "JOIN #example" }.count == 2)
        #expect(text.liveChanges == ["#other live"])
    }

    @Test func `a failure of another command is not an answer to a join`() {
        var text = IRCSessionText()
        text.receive("FAIL CHATHISTORY INVALID_TARGET #example :You are not there", ":archiver!a@host JOIN #example")
        #expect(text.notJoined.isEmpty && text.liveChanges.last == "#example live")
    }

    @Test func `a room's problem is logged once while it stays the same`() {
        var text = IRCSessionText()
        for words in ["no", "no", "never", "never"] {
            text.receive(":irc.example 473 archiver #example :\(words)")
            text.advance(to: .seconds(text.notJoined.count * 1000))
        }
        #expect(text.notJoined.count == 4)
        #expect(text.troubles == ["#example can't be joined (473: no)", "#example can't be joined (473: never)"])
    }

    @Test func `a forwarded room is reported, and the room that it leads to is live`() {
        var text = IRCSessionText()
        text.receive(
            ":irc.example 470 archiver #example ##elsewhere :Forwarding to another channel",
            ":archiver!a@host JOIN ##elsewhere", ":alice!a@host PRIVMSG ##elsewhere :here")
        let words = "forwarded to ##elsewhere: Forwarding to another channel"
        #expect(text.notJoined == ["#example not_joined until 11: \(words)"])
        #expect(text.liveChanges.last == "##elsewhere live")
        #expect(text.messageTexts.last == "##elsewhere message alice: here")
        text.advance(to: .seconds(12))
        #expect(text.sent == ["JOIN #example", "JOIN #example"])
    }

    @Test func `a forced part is followed by another join, and our QUIT is not`() {
        var text = joined("#one", "#two")
        text.receive(":archiver!a@host PART #one :Requested by an operator")
        #expect(text.notJoined == ["#one not_joined until 13: left: Requested by an operator"])
        text.receive(":archiver!a@host QUIT :bye")
        #expect(text.notJoined.count == 1)
        #expect(text.liveChanges == ["#one silent left", "#two silent left"])
    }

    @Test func `an unanswered join is repeated`() {
        var text = IRCSessionText()
        text.advance(to: .seconds(60))
        #expect(text.troubles == ["#example can't be joined: the server does not answer"])
        #expect(text.notJoined == ["#example not_joined until 70: the server does not answer"])
        text.advance(to: .seconds(70))
        #expect(text.sent.filter { $0 == "JOIN #example" }.count == 2)
    }

    @Test func `an impossible channel name is reported and not requested`() {
        let text = IRCSessionText(rooms: ["&local", "#example"])
        #expect(text.sent == ["JOIN #example"])
        #expect(text.troubles == ["&local can't be joined: this server allows no channel of that name"])
        #expect(text.notJoined == ["&local no_such_room: this server allows no channel of that name"])
    }

    @Test func `a bouncer's rooms are live, and have no gap when it leaves them`() {
        var text = IRCSessionText(rooms: [])
        #expect(text.sent.isEmpty)
        text.receive(":archiver!a@host JOIN #bounced", ":archiver!a@host PART #bounced")
        #expect(text.liveChanges.suffix(3) == ["#bounced live", "#bounced silent left", "#bounced unlisted"])
    }

    @Test func `a room that a bouncer no longer lists is left until the account joins it again`() {
        func room(_ name: String) -> RoomReference { RoomReference(key: name, name: name, kind: .channel) }
        let expected = [room("#stay{"), room("#z"), room("#late"), room("#wanted")]
        var text = IRCSessionText(rooms: ["#wanted"], expected: expected) { $0.staysInAllRooms = true }
        #expect(text.sent == ["PING scrollback-rooms", "JOIN #wanted"])
        text.receive(":archiver!a@host JOIN #Stay[", ":irc.example PONG irc.example scrollback")
        #expect(text.liveChanges == ["#Stay[ live"])
        text.receive(":irc.example PONG irc.example :scrollback-rooms")
        #expect(text.liveChanges == ["#Stay[ live", "#z unlisted", "#late unlisted"])
        let words = "is not archived: the account left it while the listener was away"
        #expect(text.troubles == ["#z \(words)", "#late \(words)"])
        text.receive(":archiver!a@host JOIN #late", ":irc.example PONG irc.example :scrollback-rooms")
        #expect(text.liveChanges.count == 4 && text.liveChanges.last == "#late live")
    }

    @Test(arguments: [
        [":irc.znc.in 001 archiver :Welcome to ZNC", ":irc.example 001 archiver :Welcome"],
        [
            ":bouncer 001 archiver :Welcome to soju, archiver", ":bouncer 004 archiver bouncer soju aiwroO Oov",
            ":bouncer 005 archiver BOUNCER_NETID=1 :are supported",
        ],
    ])
    func `rooms are not left while a bouncer waits for its network`(welcome: [String]) {
        let room = RoomReference(key: "#z", name: "#z", kind: .channel)
        func text(_ lines: [String]) -> IRCSessionText {
            let welcome = (lines + [":b 422 archiver :No MOTD", ""]).joined(separator: "\n")
            return IRCSessionText(rooms: [], expected: [room], welcome: welcome) { $0.staysInAllRooms = true }
        }
        var offline = text(welcome)
        offline.receive(":irc.example PONG irc.example :scrollback-rooms")
        #expect(offline.sent.isEmpty && offline.liveChanges.isEmpty)
        let online = text(welcome.filter { !$0.contains("ZNC") } + [":bouncer 221 archiver +i"])
        #expect(online.sent == ["PING scrollback-rooms"])
    }

    @Test func `a room that a bouncer can't rejoin after an outage is left until it can`() {
        var text = IRCSessionText(rooms: []) { $0.staysInAllRooms = true }
        text.receive(":archiver!a@host JOIN #one", ":archiver!a@host JOIN #two")
        text.receive(":irc.example 474 archiver #two :Cannot join channel (+b)")
        text.receive(":*status!znc@znc.in PRIVMSG archiver :Disconnected from IRC. Reconnecting...")
        text.receive(":irc.example 474 archiver #two :Cannot join channel (+b)")
        text.forget()
        text.receive(":irc.example 001 archiver :Welcome", ":archiver!a@host JOIN #one")
        text.receive(
            ":irc.example 404 archiver #two :Cannot send", ":irc.example 474 archiver #one :Cannot join channel (+b)",
            ":irc.example 474 archiver #two :Cannot join channel (+b)")
        #expect(text.liveChanges == ["#one live", "#two unlisted"])
        let words = "is not archived: the bouncer can't join it (474: Cannot join channel (+b))"
        #expect(text.troubles == ["#two \(words)"])
        text.receive(":archiver!a@host JOIN #two")
        #expect(text.liveChanges.suffix(1) == ["#two live"])
    }

    @Test func `the end of NAMES gives the members of a room`() throws {
        var text = joined("#example")
        text.receive(":irc.example 366 archiver #example :End")
        guard case .membersListed(let room, let users, _) = try #require(text.events.last) else {
            throw CancellationError()
        }
        #expect(room.name == "#example" && users.map(\.name) == ["alice", "archiver", "bob"])
        #expect(users.map(\.isSelf) == [false, true, false])
    }

    @Test func `a long list of names is reported once, with the changes meanwhile`() throws {
        var text = joined("#example")
        let names = (0..<3000).map { "user\($0)" }
        for start in stride(from: 0, to: 3000, by: 30) {
            let line = names[start..<start + 30].joined(separator: " @+")
            text.receive(":irc.example 353 archiver = #example :\(line)")
        }
        text.receive(":user7!u@host QUIT :bye", ":late!l@host JOIN #example", ":irc.example 366 archiver #example :End")
        let lists = text.events.compactMap { event -> [UserReference]? in
            if case .membersListed(_, let users, _) = event { users } else { nil }
        }
        #expect(lists.count == 1)
        let expected = Set(names).subtracting(["user7"]).union(["archiver", "alice", "bob", "late"])
        #expect(Set(try #require(lists.first).map(\.name)) == expected)
        #expect(text.messageTexts == ["#example leave user7: bye", "#example join late"])
    }

    @Test func `a repeated join of our room ends coverage and changes no members`() {
        var text = joined("#example")
        text.receive(":archiver!a@host JOIN #example", ":irc.example 353 archiver = #example :archiver carol")
        text.receive(":carol!c@host QUIT :bye")
        #expect(text.liveChanges == ["#example silent bouncer", "#example live"])
        #expect(text.messageTexts == ["#example join archiver", "#example leave carol: bye"])
        text.advance(to: .seconds(1000))
        #expect(text.sent.allSatisfy { !$0.hasPrefix("JOIN") })
    }

    @Test func `an invitation to a wanted room is followed at once, and others are ignored`() {
        var text = IRCSessionText(rooms: ["#secret"])
        text.receive(":irc.example 473 archiver #secret :Cannot join channel (+i)")
        text.forget()
        text.receive(":alice!a@host INVITE archiver #other", ":alice!a@host INVITE bob #secret")
        #expect(text.sent.isEmpty)
        text.receive(":alice!a@host INVITE archiver #Secret")
        #expect(text.sent == ["JOIN #secret"])
        text.receive(":alice!a@host INVITE archiver #secret")
        #expect(text.sent == ["JOIN #secret"], "its answer is waited for")
    }

    @Test func `a part while the answer to a join is pending is ignored`() {
        var text = IRCSessionText()
        text.receive(":archiver!a@host PART #example", ":archiver!a@host JOIN #example")
        #expect(text.liveChanges == ["#example live"])
        #expect(text.notJoined.isEmpty)
    }

    @Test func `a join after a kick restores the members of the room`() {
        var text = joined("#one", "#two")
        text.receive(":alice!a@host KICK #one archiver", ":bob!b@host QUIT :while we are out")
        text.advance(to: .seconds(13))
        #expect(text.sent == ["JOIN #one"])
        text.receive(":archiver!a@host JOIN #one", ":irc.example 353 archiver = #one :archiver alice")
        text.receive(":alice!a@host QUIT :bye")
        #expect(
            text.messageTexts == [
                "#one kick alice: archiver", "#two leave bob: while we are out", "#one join archiver",
                "#one leave alice: bye", "#two leave alice: bye",
            ])
        #expect(text.liveChanges == ["#one silent left", "#one live"])
        #expect(text.notJoined == ["#one not_joined until 13: kicked by alice"])
    }

    @Test func `a repeated history changes nothing current`() {
        var text = joined("#example")
        text.receive(
            ":irc.example BATCH +1 chathistory #example",
            "@batch=1;msgid=a;time=2026-11-20T06:00:00.000Z :carol!c@host JOIN #example",
            "@batch=1;msgid=b;time=2026-11-20T06:00:01.000Z :bob!b@host QUIT :then",
            "@batch=1;msgid=c;time=2026-11-20T06:00:02.000Z :archiver!a@host PART #example",
            "@batch=1;msgid=d;time=2026-11-20T06:00:03.000Z :alice!a@host NICK other", ":irc.example BATCH -1",
            ":bob!b@host QUIT :now", ":alice!a@host PRIVMSG #example :still alice")
        #expect(
            text.messageTexts == [
                "#example join carol", "#example leave bob: then", "#example leave archiver",
                "#example rename alice: other", "#example leave bob: now", "#example message alice: still alice",
            ])
        #expect(text.liveChanges.isEmpty)
        #expect(text.areReplays == [true, true, true, true, false, false])
        #expect(!text.events.contains { if case .userRenamed = $0 { true } else { false } })
    }
}
