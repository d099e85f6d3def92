import ChatModel
import Testing

/// Channels that the network renames (IRCv3 draft/channel-rename).
struct IRCRenamedRoomTests {
    private func joined(_ rooms: [String] = ["#old"], keys: [String: String] = [:]) -> IRCSessionText {
        var text = IRCSessionText(rooms: rooms, keys: keys)
        for room in rooms {
            text.receive(":archiver!a@host JOIN \(room)", ":irc.example 353 archiver = \(room) :archiver alice bob")
        }
        text.forget()
        return text
    }

    private func known(_ name: String, once former: [String: Int64] = [:]) -> KnownChannel {
        KnownChannel(
            room: RoomReference(key: name.lowercased(), name: name, kind: .channel),
            formerNames: former.mapValues { Timestamp(microseconds: $0) })
    }

    @Test func `a renamed channel is the same room, without a gap`() throws {
        var text = joined()
        text.receive(
            ":alice!a@host RENAME #old #New :better", ":alice!a@host PRIVMSG #new :here", ":bob!b@host QUIT :bye")
        #expect(text.liveChanges == ["#old is #New"])
        #expect(text.messageTexts == ["#old system *: #New", "#New message alice: here", "#New leave bob: bye"])
        guard case .roomRenamed(_, "#old", let room, let at) = try #require(text.events.dropFirst().first) else {
            throw CancellationError()
        }
        #expect(room == RoomReference(key: "#new", name: "#New", kind: .channel))
        #expect(at > text.messages[0].receivedAt && at <= text.messages[1].receivedAt)
    }

    @Test func `a renamed channel is joined by its new name with its configured key`() {
        var text = joined(["#old"], keys: ["#old": "sesame"])
        text.receive(":alice!a@host RENAME #old #new :better", ":alice!a@host KICK #new archiver :out")
        #expect(text.notJoined == ["#new not_joined until 12: kicked by alice: out"])
        text.advance(to: .seconds(13))
        #expect(text.sent == ["JOIN #new sesame"])
        text.receive(":archiver!a@host JOIN #new")
        #expect(text.liveChanges.last == "#new live")
    }

    @Test func `another spelling is a rename, not another room`() {
        var text = joined()
        text.receive(":alice!a@host RENAME #old #OLD :louder")
        #expect(text.liveChanges == ["#old is #OLD"])
    }

    @Test func `the configuration can have a channel's earlier name`() {
        let channels = [known("#new", once: ["#old": 20, "#older": 10]), known("#other", once: ["#else": 5])]
        let text = IRCSessionText(rooms: ["#Old", "#other"], expected: channels.map(\.room), channels: channels)
        #expect(text.sent == ["JOIN #new,#other"])
        #expect(text.liveChanges.isEmpty, "none of them is left")
    }

    @Test func `a current name belongs to its room, and a shared earlier name to the last one`() {
        let channels = [
            known("#new", once: ["#old": 20, "#twice": 30]), known("#old"), known("#third", once: ["#twice": 40]),
        ]
        let text = IRCSessionText(rooms: ["#old", "#twice"], expected: channels.map(\.room), channels: channels)
        #expect(text.sent == ["JOIN #old,#third"])
        #expect(text.liveChanges == ["#new unlisted"])
    }

    @Test func `configuring both names means two rooms`() {
        let text = IRCSessionText(rooms: ["#old", "#new"], channels: [known("#new", once: ["#old": 20])])
        #expect(text.sent == ["JOIN #old,#new"])
    }

    @Test func `a reloaded configuration can have any of the names`() {
        var text = joined(["#old"])
        text.receive(":alice!a@host RENAME #old #mid", ":alice!a@host RENAME #mid #new")
        text.forget()
        for name in ["#old", "#mid", "#new"] {
            text.configure(name)
            #expect(text.sent.isEmpty && text.events.isEmpty)
        }
        text.configure("#other")
        #expect(text.sent == ["PART #new", "JOIN #other"])
    }

    @Test func `a replayed rename changes nothing`() {
        var text = joined(["#new"])
        text.receive(
            ":irc.example BATCH +1 chathistory #new",
            "@batch=1;msgid=a;time=2026-09-20T06:00:00.000Z :alice!a@host RENAME #old #new :better",
            ":irc.example BATCH -1")
        #expect(text.liveChanges.isEmpty)
        #expect(text.messageTexts == ["#new system *: #new"])
    }
}
