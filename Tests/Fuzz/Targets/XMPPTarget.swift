import TestSupport
import XMPPWire

extension FuzzTarget {
    /// The stream of an XMPP server, after a header: stanzas, whole and split. The first byte chooses other readers.
    static let xmpp = FuzzTarget("xmpp") { input in
        let header = Array("<stream:stream xmlns='jabber:client' xmlns:stream='\(XMPPNamespace.streams)'>".utf8)
        let stream = (input.first == 0x21 ? [] : header) + input
        var limits = StanzaSplitter.Limits()
        (limits.stanzaBytes, limits.element.elements) = (1000, 50)
        let (whole, split) = (StanzaSplitter(limits: limits), StanzaSplitter(limits: limits))
        let units = whole.split(stream)
        var parts: (units: [StanzaSplitter.Unit], failure: String?) = ([], nil)
        for part in Parts(stream).parts where parts.failure == nil {
            let found = split.split(part)
            parts = (parts.units + found.units, found.failure)
        }
        // A limit may be noticed sooner in a part.
        if units.failure == nil { try requireEqual(parts.units, units.units, "stanzas of a split stream") }
        for case .stanza(let stanza) in units.units { try check(stanza) }
        _ = (ServiceRecord.all(in: input), JID(input.text), FileLink(input.text))
    }

    /// A stanza is read in every way, and what is written of it is read as it was.
    private static func check(_ stanza: ReceivedStanza) throws {
        guard case .success(let element) = stanza.content else { return }
        let message = XMPPMessage(element)
        _ = (message.ownBody, message.files, message.reactions, message.retraction, message.invitation)
        _ = (message.unknownContent, message.shownAddress, message.replyTo, message.isEncrypted, message.statusCodes)
        _ = (RoomPresence(element), DiscoInfo(element), ArchivedMessage(element, raw: stanza.raw))
        _ = (ArchivePageEnd(element), RoomBookmark.all(in: element), element.errorWords, element.carbon)
        _ = (RoomBookmark.isNews(element), ClientDescription.followingBookmarks.answer(to: element))
        _ = StoredStanza.senderIDs(of: stanza.raw)
        var login = XMPPLogin(
            domain: "example", resource: "x",
            credentials: XMPPCredentials(
                user: "me", password: "p", hasCertificate: false, nonce: "abc", allowsPlain: true))
        _ = (login.take(.opened([:])), login.take(.stanza(stanza)))
    }
}
