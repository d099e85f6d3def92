import Testing

@testable import IRCWire

struct ClientTagTests {
    @Test(arguments: [
        ("@+reply=a PRIVMSG #a :hi", "a"), ("@+draft/reply=a PRIVMSG #a :hi", "a"),
        ("@+reply=new;+draft/reply=old TAGMSG #a", "new"), ("@+reply=;+draft/reply=old TAGMSG #a", "old"),
        ("@+draft/reply= PRIVMSG #a :hi", nil), ("@reply=a;draft/reply=b PRIVMSG #a :hi", nil), ("PRIVMSG #a :hi", nil),
    ])
    func `a reply is named by either tag`(line: String, msgid: String?) {
        #expect(IRCMessage(line).replyTo == msgid.map { Array($0) })
    }

    @Test(arguments: [
        ("@+draft/reply=a;+draft/react=👍 TAGMSG #a", "👍", false), ("@+reply=a;+react=\\:) TAGMSG #a", ";)", false),
        ("@+reply=a;+draft/unreact=👍 TAGMSG #a", "👍", true), ("@+reply=a;+unreact=lol TAGMSG #a", "lol", true),
    ])
    func `a reaction is added or removed`(line: String, text: String, isRemoved: Bool) {
        #expect(IRCMessage(line).reaction == IRCMessage.Reaction(text: Array(text), isRemoved: isRemoved))
    }

    @Test(arguments: [
        "@+draft/react=👍 TAGMSG #a", "@+reply=a TAGMSG #a", "@+reply=a;+draft/react= TAGMSG #a",
        "@+reply=a;+draft/react=👍;+draft/unreact=👍 TAGMSG #a", "@+typing=active;+reply=a TAGMSG #a",
    ])
    func `a reaction needs a message and a text, and can't add and remove`(line: String) {
        #expect(IRCMessage(line).reaction == nil)
    }
}
