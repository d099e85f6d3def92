import ChatModel
import TestSupport
import Testing

@testable import IRC

/// The backlog of bip (scripted), which has no ids, and times only in its texts.
struct IRCBacklogTests {
    /// 2026-09-21 14:13:20 UTC.
    private static let epoch = IRCSessionText.epoch

    private func stored(_ texts: (second: Int64, sender: String, text: String)...) -> [StoredPoint] {
        texts.reversed().map { second, sender, text in
            StoredPoint(
                id: MessageID(Self.epoch.advanced(by: .seconds(second))), kind: .message, remoteID: nil,
                sourceTime: nil, sender: sender, body: text)
        }
    }

    /// Returns what is new.
    private func messages(
        _ lines: [String], stored: [StoredPoint], room: String = "#example", kind: RoomReference.Kind = .channel
    ) -> [IncomingMessage] {
        var text = IRCSessionText(rooms: []) { $0.staysInAllRooms = true }
        text.receive(":archiver!bip@bip.bip.bip JOIN #example")
        text.forget()
        for line in lines { text.receive(line) }
        #expect(text.messages.isEmpty, "the archive has not answered yet")
        text.receiveAnswer(.lastMessages(RoomReference(key: room, name: room, kind: kind), stored))
        #expect(!text.areReplays.contains(false))
        return text.messages
    }

    /// Returns what is new, with the seconds since the beginning: `-5 alice: hi`.
    private func new(
        _ lines: [String], stored: [StoredPoint], room: String = "#example", kind: RoomReference.Kind = .channel
    ) -> [String] {
        messages(lines, stored: stored, room: room, kind: kind).map { message in
            let second = message.sourceTime.map { "\($0.since(Self.epoch).components.seconds) " } ?? ""
            let mark = message.kind == .action ? "* " : ""
            return "\(second)\(mark)\(message.sender?.name ?? "")\(message.sender?.isSelf == true ? " (self)" : ""): "
                + (message.body ?? "")
        }
    }

    private static let end = ":-bip!bip@b.i.p PRIVMSG #example :End of backlog"

    private func said(_ text: String, by nick: String = "alice") -> String {
        ":\(nick)!bip@b.i.p PRIVMSG #example :\(text)"
    }

    @Test func `stored lines are not stored again, and the others get bip's time`() {
        let lines = [
            said("14:13:05> one"), said("14:13:06> ㅋㅋ"), said("14:13:06> ㅋㅋ"),
            ":-bip!bip@b.i.p PRIVMSG #example :21-09-2026 14:13:07 -!- dave!d@h has left #example [bye]",
            said("\u{1}ACTION 14:13:08> waves\u{1}"), said("14:13:09> 12:00:00> fake", by: "bob"), Self.end,
        ]
        let archive = stored((-90, "alice", "zero"), (-14, "alice", "one"), (-14, "alice", "ㅋㅋ"))
        #expect(
            new(lines, stored: archive) == ["-14 alice: ㅋㅋ", "-12 * alice: waves", "-11 bob: 12:00:00> fake"])
    }

    @Test func `new lines of a second in which a message is stored come after that message`() {
        let heard = stored((-14, "alice", "one")).map { point in
            StoredPoint(
                id: MessageID(point.id.time.advanced(byMicroseconds: 700_000)), kind: point.kind, remoteID: nil,
                sourceTime: nil, sender: point.sender, body: point.body)
        }
        let new = messages(
            [said("14:13:06> one"), said("14:13:06> two"), said("14:13:06> two"), said("14:13:07> three"), Self.end],
            stored: heard)
        let times = new.compactMap { $0.sourceTime?.since(heard[0].id.time) }
        #expect(times == [.microseconds(1), .microseconds(2), .milliseconds(300)])
        #expect(new.map { $0.flags.contains(.toTheSecond) } == [true, true, false])
    }

    @Test(arguments: ["21-09-2026 23:13:06> ", "21-09-2026 09:13:06> ", "23:13:06> "])
    func `a stored message shows the zone of bip's machine`(time: String) {
        let lines = [said(time + "one"), said(time + "two"), Self.end]
        #expect(new(lines, stored: stored((-14, "alice", "one"))) == ["-14 alice: two"])
    }

    @Test func `a line of an earlier day matches, and is not placed today`() {
        let lines = [said("14:13:06> old"), said("14:13:10> new"), Self.end]
        #expect(new(lines, stored: stored((-14 - 7 * 86_400, "alice", "old"))) == ["-10 alice: new"])
    }

    @Test func `a time without a date is before the next line`() {
        let lines = [said("14:13:00> anchor"), said("14:13:10> yesterday"), said("14:13:05> today"), Self.end]
        let archive = stored((-20 - 86_400, "alice", "anchor"))
        #expect(new(lines, stored: archive) == ["\(-10 - 86_400) alice: yesterday", "-15 alice: today"])
    }

    @Test func `lines without times are compared in order`() {
        let lines = [said("b"), said("c"), said("14:13:10> d"), said("c"), Self.end]
        let archive = stored((-90, "alice", "a"), (-80, "alice", "b"), (-70, "alice", "c"))
        #expect(new(lines, stored: archive) == ["alice: 14:13:10> d", "alice: c"])
        #expect(new([said("x", by: "bob"), Self.end], stored: stored((-9, "alice", "x"))) == ["bob: x"])
    }

    @Test func `a line without a time is before the live messages that came after it`() {
        var text = IRCSessionText(rooms: []) { $0.staysInAllRooms = true }
        text.receive(":archiver!bip@bip.bip.bip JOIN #example", said("missed"), Self.end)
        text.receive(":bob!b@host PRIVMSG #example :live")
        text.receiveAnswer(.lastMessages(RoomReference(key: "#example", name: "#example", kind: .channel), []))
        let messages = text.messages.filter { $0.kind == .message }.sorted { $0.receivedAt < $1.receivedAt }
        #expect(messages.map(\.body) == ["missed", "live"])
    }

    @Test func `the same text at another time is another message`() {
        let lines = [said("14:10:00> hi"), said("14:13:10> hi"), Self.end]
        #expect(new(lines, stored: stored((-200, "alice", "hi"))) == ["-10 alice: hi"])
        #expect(new([said("14:13:10> hi"), Self.end], stored: stored((-100, "alice", "hi"))).count == 1)
    }

    @Test func `a conversation has the account's own messages`() {
        let lines = [
            ":carol!bip@b.i.p PRIVMSG archiver :->14:13:05> hi", ":carol!bip@b.i.p PRIVMSG archiver :14:13:06> hello",
            ":carol PRIVMSG archiver :End of backlog",
        ]
        let archive = stored((-15, "archiver", "hi"))
        #expect(new(lines, stored: archive, room: "carol", kind: .direct) == ["-14 carol: hello"])
        #expect(
            new(lines, stored: stored((-14, "carol", "hello")), room: "carol", kind: .direct)
                == ["-15 archiver (self): hi"])
    }

    @Test func `a user with the address of bip's lines can't hide messages`() {
        var text = IRCSessionText(rooms: ["#example"])
        text.receive(":archiver!a@host JOIN #example")
        text.forget()
        text.receive(said("12:00:00> one", by: "mallory"), said("two", by: "mallory"))
        text.receive(":mallory!bip@b.i.p PRIVMSG #example :End of backlog")
        text.advance(to: .seconds(12))
        #expect(text.messageTexts.isEmpty)
        text.advance(to: .seconds(20))
        #expect(
            text.messageTexts == [
                "#example message mallory: 12:00:00> one", "#example message mallory: two",
                "#example message mallory: End of backlog",
            ])
        #expect(!text.areReplays.contains(true))
    }

    @Test func `the end marker is stored where no backlog ends`() {
        var text = IRCSessionText(rooms: []) { $0.staysInAllRooms = true }
        text.receive(":carol PRIVMSG archiver :End of backlog", ":carol!c@host PRIVMSG archiver :14:13:05> hi")
        #expect(
            text.messageTexts.suffix(2) == ["carol message carol: End of backlog", "carol message carol: 14:13:05> hi"])
    }

    @Test func `a bip that loses its network makes an outage, and the account stays in its rooms`() {
        var text = IRCSessionText(rooms: []) { $0.staysInAllRooms = true }
        text.receive(":archiver!bip@bip.bip.bip JOIN #one", ":archiver!bip@bip.bip.bip JOIN #two")
        text.forget()
        for room in ["#one", "#two"] {
            text.receive(":-bip!bip@b.i.p KICK \(room) archiver :Server disconnected, reconnecting")
        }
        #expect(text.liveChanges == ["#one silent bouncer", "#two silent bouncer"])
        text.receive(":irc.example 001 archiver :Welcome", ":archiver!a@host JOIN :#one")
        #expect(text.liveChanges.suffix(1) == ["#one live"])
        #expect(text.messageTexts == ["#one join archiver"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a backlog of equal lines is compared quickly`() {
        let lines = (0..<5000).map { _ in said("14:13:05> a") } + [Self.end]
        let archive = (0..<10_200).map { number in
            StoredPoint(
                id: MessageID(Self.epoch.advanced(byMicroseconds: -15_000_000 - Int64(number))), kind: .message,
                remoteID: nil, sourceTime: nil, sender: "alice", body: "a")
        }
        // Each line is compared with 80 stored messages.
        #expect(new(lines, stored: archive).count == 4920)
    }

    @Test func `lines over the limit are stored unchanged`() {
        var text = IRCSessionText(rooms: []) { $0.staysInAllRooms = true }
        text.receive(":archiver!bip@bip.bip.bip JOIN #example")
        text.forget()
        for _ in 0..<5002 { text.receive(said("14:13:05> a")) }
        #expect(text.messageTexts == Array(repeating: "#example message alice: 14:13:05> a", count: 2))
    }
}
