import ChatModel
import Testing

@testable import Sessions

/// What servers say by themselves, and what is said to more or fewer than a room.
struct IRCServerWordsTests {
    private func joined() -> IRCSessionText {
        var text = IRCSessionText()
        text.receive(":archiver!a@host JOIN #example", ":irc.example 353 archiver = #example :archiver @alice bob")
        text.forget()
        return text
    }

    @Test func `lines from before the registration are in the server's room`() {
        let text = IRCSessionText(
            welcome: ":irc.example NOTICE AUTH :*** No Ident\nNOTICE * :*** hello\n:a!a@h PRIVMSG * :early\n"
                + IRCSessionText.welcome)
        #expect(
            text.messageTexts == [
                "irc.example notice irc.example: *** No Ident", "irc.example notice irc.example: *** hello",
                "irc.example message a: early", "irc.example notice irc.example: *** Looking up your hostname",
            ])
    }

    @Test func `a server's notices are in its room, and those to a channel in the channel`() {
        var text = joined()
        text.receive(
            ":oper!o@host WALLOPS :to operators", ":services.example WALLOPS :routing",
            ":oper!o@host NOTICE $$* :to all",
            ":irc.example NOTICE #example :to the channel", ":irc.example NOTICE @#example :to its operators",
            "NOTICE archiver :no source", ":other.example NOTICE archiver :another server",
            ":archiver MODE archiver :+i", ":irc.example PRIVMSG archiver :a server's message")
        #expect(
            text.messageTexts == [
                "irc.example notice oper: to operators", "irc.example notice services.example: routing",
                "irc.example notice oper: to all", "#example notice irc.example: to the channel",
                "#example notice irc.example: to its operators", "irc.example notice irc.example: no source",
                "irc.example notice other.example: another server", "irc.example mode archiver: +i",
                "irc.example message irc.example: a server's message",
            ])
        #expect(text.liveChanges.isEmpty, "no conversation begins")
    }

    @Test(arguments: ["@", "+", "@+", "@@"])
    func `a message to members with a status is in the channel`(marks: String) {
        var text = joined()
        text.receive(":alice!a@host PRIVMSG \(marks)#Example :psst")
        #expect(text.messageTexts == ["#example message alice: psst"])
    }

    @Test(arguments: [
        ":alice!a@host CHGHOST user new.host", ":alice!a@host SETNAME :Alice", ":alice!a@host ACCOUNT alice",
        ":alice!a@host AWAY :lunch", ":alice!a@host AWAY", ":irc.example 301 archiver alice :lunch",
        ":irc.example 401 archiver nobody :No such nick", ":irc.example 421 archiver X :Unknown command",
        ":irc.example NOTE * X :for your information", ":irc.example WARN * X :careful",
        ":irc.example FAIL * X :no", ":oper!o@host KILL alice :bye", ":irc.example PONG irc.example x", "FOO bar",
    ])
    func `lines without meaning for a room are not kept`(line: String) {
        var text = joined()
        text.receive(line)
        #expect(text.events.isEmpty && text.end == nil && text.troubles.isEmpty)
    }

    @Test func `the server's ERROR is the reason for the session's end`() {
        var text = joined()
        text.receive("ERROR :Closing link: (archiver) [killed by an operator]")
        #expect(text.messages.isEmpty && text.end?.detail?.contains("killed by an operator") == true)
    }

    @Test func `our messages are ours in every room, and those to ourselves have one id`() {
        var text = joined()
        text.receive(
            "@msgid=1 :archiver!a@host PRIVMSG #example :from elsewhere",
            "@msgid=2 :Archiver!a@host NOTICE alice :psst",
            "@msgid=3 :archiver!a@host PRIVMSG archiver :note", "@msgid=3 :archiver!a@host PRIVMSG archiver :note")
        #expect(
            text.messageTexts == [
                "#example message archiver: from elsewhere", "alice notice Archiver: psst",
                "archiver message archiver: note", "archiver message archiver: note",
            ])
        #expect(
            text.messages.allSatisfy { $0.sender?.isSelf == true }
                && text.messages.map(\.remoteID).suffix(2) == ["3", "3"])
    }
}
