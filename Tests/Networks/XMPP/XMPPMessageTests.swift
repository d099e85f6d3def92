import ChatModel
import Testing

@testable import XMPPWire

struct XMPPMessageTests {
    private func message(_ xml: String) throws -> XMPPMessage {
        try #require(StoredStanza.message(of: Array(xml.utf8)))
    }

    @Test func `the room's id counts, and no other's`() throws {
        let found = try message(
            "<message type='groupchat' from='r@muc/alice' id='c1'><body>hi</body><origin-id xmlns='urn:xmpp:sid:0' id='o1'/>"
                + "<stanza-id xmlns='urn:xmpp:sid:0' by='mallory@x' id='bad'/>"
                + "<stanza-id xmlns='urn:xmpp:sid:0' by='r@muc' id='17'/></message>")
        #expect(found.stanzaID(by: JID(local: "r", domain: "muc")) == "17")
        #expect(found.senderIDs == ["c1", "o1"] && found.body == "hi")
    }

    @Test(arguments: [
        ("<displayed xmlns='urn:xmpp:chat-markers:0' id='1'/>", nil), ("<frob xmlns='urn:x'/>", "frob urn:x"),
    ])
    func `the server's mark on an archived message is not its content`(part: String, unknown: String?) throws {
        let mark = "<archived xmlns='urn:xmpp:mam:tmp' by='r@muc' id='17'/>"
        #expect(try message("<message>\(mark)\(part)</message>").unknownContent == unknown)
    }

    @Test func `of several languages, the text without one counts`() throws {
        let found = try message(
            "<message><body xml:lang='de'>hallo</body><body>hello</body><body xml:lang='ko'>안녕</body></message>")
        #expect(found.body == "hello")
        #expect(try message("<message><body xml:lang='ko'>안녕</body></message>").body == "안녕")
    }

    @Test func `the quotation of a reply is left out by code points`() throws {
        let found = try message(
            "<message><body>&gt; 안녕\nyes</body><reply xmlns='urn:xmpp:reply:0' to='r@muc/bob' id='17'/>"
                + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body start='0' end='5'/></fallback></message>"
        )
        #expect(found.ownBody == "yes" && found.replyTo == "17")
    }

    @Test(arguments: [
        "<retract xmlns='urn:xmpp:message-retract:1' id='17'/>",
        "<apply-to xmlns='urn:xmpp:fasten:0' id='17'><retract xmlns='urn:xmpp:message-retract:0'/></apply-to>",
    ])
    func `both forms of a retraction are read`(part: String) throws {
        let found = try message("<message>\(part)</message>").retraction
        #expect(found == XMPPMessage.Retraction(target: "17", isModeration: false))
    }

    @Test(arguments: [
        "<retract xmlns='urn:xmpp:message-retract:1' id='17'><moderated xmlns='urn:xmpp:message-moderate:1' by='r@muc/mod'/>"
            + "<reason>spam</reason></retract>",
        "<apply-to xmlns='urn:xmpp:fasten:0' id='17'><moderated xmlns='urn:xmpp:message-moderate:0' by='r@muc/mod'>"
            + "<retract xmlns='urn:xmpp:message-retract:0'/><reason>spam</reason></moderated></apply-to>",
    ])
    func `both forms of a moderation are read`(part: String) throws {
        let found = try message("<message from='r@muc'>\(part)</message>").retraction
        let by = JID(local: "r", domain: "muc", resource: "mod")
        #expect(found == XMPPMessage.Retraction(target: "17", isModeration: true, by: by, reason: "spam"))
    }

    @Test func `a time has the resolution in which it is written`() throws {
        let whole = try message("<message><delay xmlns='urn:xmpp:delay' stamp='2026-11-28T10:00:00Z'/></message>").delay
        #expect(whole?.resolution == .second)
        let fine = try message("<message><delay xmlns='urn:xmpp:delay' stamp='2026-11-28T10:00:00.123456Z'/></message>")
        #expect(fine.delay?.resolution == .microsecond)
        #expect(fine.delay?.time == Timestamp(microseconds: 1_795_860_000_123_456))
        #expect(try message("<message><delay xmlns='urn:xmpp:delay' stamp='yesterday'/></message>").delay == nil)
    }

    @Test(arguments: [
        "<message><encrypted xmlns='eu.siacs.conversations.axolotl'><payload>x</payload></encrypted></message>",
        "<message><encryption xmlns='urn:xmpp:eme:0' namespace='urn:xmpp:omemo:2'/><body>fallback</body></message>",
    ])
    func `both marks of encryption are read`(xml: String) throws {
        #expect(try message(xml).isEncrypted)
    }

    @Test(arguments: [
        ("alice@example.org/phone", "alice@example.org/phone"), ("Alice@Example.ORG", "alice@example.org"),
        ("example.org", "example.org"), ("r@muc/A/b@c", "r@muc/A/b@c"),
    ])
    func `an address is read`(text: String, written: String) throws {
        #expect(try #require(JID(text)).description == written)
    }

    @Test(arguments: ["", "@example.org", "alice@", "alice@b@c", "a b@c", "alice@example.org/", "/x"])
    func `a text that is no address is refused`(text: String) {
        #expect(JID(text) == nil)
    }
}

struct FileLinkTests {
    @Test(arguments: [
        ("https://upload.example.org/a/b.png?x=1#top", "https://upload.example.org/a/b.png?x=1"),
        ("https://UPLOAD.example.org:8443/a", "https://UPLOAD.example.org:8443/a"),
    ])
    func `a link by https to a host with a domain is followed`(text: String, url: String) throws {
        #expect(try #require(FileLink(text)).url == url)
    }

    @Test(arguments: [
        "http://upload.example.org/a", "https://127.0.0.1/a", "https://[::1]/a", "https://router/a",
        "file:///etc/passwd",
        "https://x@example.org/a", "https://printer.local/a", "https://2130706433/a", "aesgcm://upload.example.org/a",
        "",
        "https://a.localhost/x", "https://example.1/x",
    ])
    func `a link into the own network is not`(text: String) {
        #expect(FileLink(text) == nil)
    }
}
