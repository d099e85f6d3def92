import ChatModel
import Testing

@testable import IRC

/// ZNC with the module `playback` (scripted by its README, as Debian has no package of it).
struct IRCPlaybackTests {
    private static let epoch = IRCSessionText.epoch

    private func text(_ capabilities: String, lastReceipt: Timestamp?) -> IRCSessionText {
        let welcome = """
            :irc.znc.in CAP * LS :\(capabilities)
            :irc.znc.in CAP * ACK :\(capabilities)
            :irc.example 001 archiver :Welcome
            :irc.example 005 archiver CASEMAPPING=ascii CHANTYPES=# :are supported
            :irc.example 376 archiver :End of MOTD

            """
        return IRCSessionText(rooms: [], lastReceipt: lastReceipt, welcome: welcome) { $0.staysInAllRooms = true }
    }

    private func played(_ text: IRCSessionText) -> [String] { text.sent.filter { $0.contains("*playback") } }

    @Test func `ZNC's playback is requested from ten minutes before the last receipt`() {
        let last = Self.epoch.advanced(by: .seconds(-3600))
        var known = text("batch server-time znc.in/playback", lastReceipt: last)
        #expect(played(known) == ["PRIVMSG *playback :PLAY * 1789995800"])
        // A channel that was never archived is requested from its beginning.
        known.receive(":archiver!a@host JOIN #new", ":archiver!a@host JOIN #old")
        let room = RoomReference(key: "#new", name: "#new", kind: .channel)
        known.receiveAnswer(.room(IRCLookup.KnownRoom(room: room, start: nil)))
        let old = HistoryStart(completeUntil: last, anchors: [], archivedSince: last)
        known.receiveAnswer(
            .room(
                IRCLookup.KnownRoom(room: RoomReference(key: "#old", name: "#old", kind: .channel), start: old)))
        #expect(played(known).dropFirst() == ["PRIVMSG *playback :PLAY #new 0"])
    }

    @Test func `a new archive requests the whole playback once`() {
        var new = text("batch server-time znc.in/playback", lastReceipt: nil)
        new.receive(":archiver!a@host JOIN #new")
        let room = RoomReference(key: "#new", name: "#new", kind: .channel)
        new.receiveAnswer(.room(IRCLookup.KnownRoom(room: room, start: nil)))
        #expect(played(new) == ["PRIVMSG *playback :PLAY * 0"])
    }

    @Test func `a ZNC without the module gets no request for playback`() {
        #expect(played(text("batch server-time", lastReceipt: nil)).isEmpty)
    }

    @Test func `playback is a replay`() {
        var text = text("batch server-time znc.in/playback", lastReceipt: nil)
        text.receive("@time=2026-09-21T14:13:21.000Z :archiver!a@host JOIN #new")
        text.forget()
        text.receive(
            ":znc.in BATCH +1 znc.in/playback #new",
            "@batch=1;time=2026-09-21T14:00:00.000Z :alice!a@h PRIVMSG #new :early",
            "@batch=1;time=2026-09-21T14:13:22.000Z :alice!a@h PRIVMSG #new :late", ":znc.in BATCH -1")
        #expect(text.messageTexts == ["#new message alice: early", "#new message alice: late"])
        #expect(text.areReplays == [true, true])
    }
}
