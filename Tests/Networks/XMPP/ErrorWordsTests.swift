import Testing

@testable import XMPPWire

/// A condition of XMPP becomes a sentence on which a person can act.
struct ErrorWordsTests {
    private func element(_ xml: String) throws -> XMPPElement {
        let header = "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
        let (units, _) = StanzaSplitter().split(Array((header + xml).utf8))
        guard case .stanza(let stanza)? = units.last else { throw CancellationError() }
        return try stanza.content.get()
    }

    private func refusal(_ error: String) throws -> XMPPElement {
        try element("<iq type='error'><error type='cancel'>\(error)</error></iq>")
    }

    private static let errors = "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'"

    @Test func `a bare condition has a sentence, which a room may have of its own`() throws {
        let missing = try refusal("<item-not-found \(Self.errors)/>")
        #expect(missing.errorWords == "the server does not have it; check the address (item-not-found)")
        #expect(missing.roomErrorWords == "there is no such room; check its address (item-not-found)")
    }

    @Test func `the server's own words follow the sentence`() throws {
        let full = try refusal("<resource-constraint \(Self.errors)/><text \(Self.errors)>200 people</text>")
        #expect(full.roomErrorWords == "the room is full (resource-constraint): 200 people")
        let moved = try refusal("<gone \(Self.errors)>xmpp:next@muc.example</gone>")
        #expect(moved.roomErrorWords.contains("(gone xmpp:next@muc.example)"))
    }

    @Test func `an unknown condition stays, and an error without one says so`() throws {
        #expect(try refusal("<odd \(Self.errors)/>").errorWords == "odd")
        #expect(try refusal("").errorWords == "the server gave no reason")
        #expect(try refusal("<text>no</text>").errorWords == "the server gave no reason: no")
    }

    @Test func `errors of a stream and of a login are read as those of a stanza`() throws {
        let stream = try element(
            "<stream:error><system-shutdown xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>")
        #expect(stream.errorWords == "the server is shutting down (system-shutdown)")
        let login = try element("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
        #expect(login.errorWords == "the name or the password is wrong (not-authorized)")
    }
}
