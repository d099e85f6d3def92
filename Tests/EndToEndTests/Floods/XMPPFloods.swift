/// Each kind of stanza that an XMPP session looks at.
extension Flood {
    private static func xmpp(_ name: String, _ stanzas: String..., count: Int = 20_000) -> Flood {
        let template = stanzas.joined()
        return Flood(network: .xmpp, name: name, content: { numbered(template, count) })
    }

    private static func said(_ parts: String, by nick: String = "u{}", id: String = "{}") -> String {
        "<message type='groupchat' from='r0@m/\(nick)' id='\(id)'>\(parts)"
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='r0@m' id='{}'/></message>"
    }

    private static func presence(_ nick: String, _ item: String = "<item/>", type: String = "") -> String {
        "<presence from='r0@m/\(nick)'\(type)><x xmlns='http://jabber.org/protocol/muc#user'>\(item)</x></presence>"
    }

    private static let gone = " type='unavailable'"
    private static let body = "<body>hello {}</body>"

    static let xmppFloods: [Flood] = [
        xmpp("messages", said(body)), xmpp("messages of one", said(body, by: "al", id: "1")),
        xmpp("messages without ids", "<message type='groupchat' from='r0@m/al'>\(body)</message>"),
        xmpp("long messages", said("<body>\(String(repeating: "long ", count: 50_000))</body>"), count: 10),
        xmpp(
            "conversations",
            "<message type='chat' from='u{}@y/z' id='1'>\(body)<stanza-id xmlns='urn:xmpp:sid:0' by='archiver@x' id='{}'/></message>"
        ),
        xmpp("private messages", "<message type='chat' from='r0@m/u{}' id='1'>\(body)</message>"),
        xmpp(
            "carbons",
            "<message from='archiver@x'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
                + "<message xmlns='jabber:client' type='chat' to='u{}@y'>\(body)</message></forwarded></sent></message>"
        ),
        xmpp("joins", presence("u{}")), xmpp("joins and leaves", presence("u{}"), presence("u{}", type: gone)),
        xmpp(
            "nicks",
            presence("u{}", "<item nick='u{+}'/><status code='303'/>", type: gone), presence("u{+}")),
        xmpp(
            "kicks", presence("u{}"), presence("u{}", "<item><actor nick='op'/></item><status code='307'/>", type: gone)
        ),
        xmpp("occupant ids", presence("u{}", "<item jid='u{}@y/z'/>")),
        xmpp("own kicks", presence("archiver", "<item/><status code='110'/><status code='307'/>", type: gone)),
        xmpp("subjects", "<message type='groupchat' from='r0@m/al'><subject>topic {}</subject></message>"),
        xmpp(
            "changes of the room",
            "<message type='groupchat' from='r0@m'><x xmlns='http://jabber.org/protocol/muc#user'><status code='104'/></x></message>"
        ),
        xmpp(
            "corrections",
            said(body, by: "al"),
            said("\(body)<replace xmlns='urn:xmpp:message-correct:0' id='{}'/>", by: "al", id: "c{}")),
        xmpp("corrections of nothing", said("\(body)<replace xmlns='urn:xmpp:message-correct:0' id='x{}'/>")),
        xmpp("retractions", said("<retract xmlns='urn:xmpp:message-retract:1' id='{}'/>")),
        xmpp("reactions", said("<reactions xmlns='urn:xmpp:reactions:0' id='1'><reaction>+</reaction></reactions>")),
        xmpp(
            "encrypted messages",
            said("<encrypted xmlns='eu.siacs.conversations.axolotl'><payload>AA</payload></encrypted>")),
        xmpp(
            "invitations",
            "<message from='u{}@y'><x xmlns='jabber:x:conference' jid='other{}@m'/></message>"),
        xmpp("links", said("<x xmlns='jabber:x:oob'><url>https://files.example.invalid/{}</url></x>")),
        xmpp("unknown content", said("<frobnicate xmlns='urn:x{}'/>")),
        xmpp("questions", "<iq type='get' id='{}'><ping xmlns='urn:xmpp:ping'/></iq>"),
        xmpp("answers that nobody asked for", "<iq type='result' id='{}'/>"),
        xmpp("requests to acknowledge", "<r xmlns='urn:xmpp:sm:3'/>"),
        xmpp("errors", "<message type='error' from='u{}@y'><error/></message>"),
        xmpp("undeclared prefixes", said("<p:x p:a='{}'/>\(body)")),
        xmpp("deep stanzas", String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200), count: 100),
        xmpp("many attributes", "<message " + (0..<500).map { "a\($0)='x' " }.joined() + "/>", count: 100),
        xmpp(
            "history without end",
            "<RESULT id='h{}'><forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2020-01-01T00:00:00Z'/>"
                + "<message xmlns='jabber:client' type='groupchat' from='r0@m/al'>\(body)</message></forwarded></RESULT>"
        ),
        xmpp(
            "history of long messages",
            "<RESULT id='h{}'><forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' type='groupchat' from='r0@m/al'>"
                + "<body>\(String(repeating: "long ", count: 50_000))</body></message></forwarded></RESULT>", count: 10),
        unending("a text without end", "<message><body>"), unending("a name without end", "<"),
        unending("an attribute without end", "<message a='"), unending("spaces", "", " "),
    ]

    /// Content that never comes to an end.
    private static func unending(_ name: String, _ beginning: String, _ byte: Character = "x") -> Flood {
        Flood(
            network: .xmpp, name: name, greeting: Array(beginning.utf8),
            content: { [UInt8](repeating: byte.asciiValue ?? 0, count: 1 << 20) })
    }
}
