import XMPPWire

/// A question of another address to the listener.
struct XMPPQuestion: Sendable {
    private let element: XMPPElement
    private let id: String

    /// Nil for another stanza.
    init?(_ element: XMPPElement) {
        guard ["get", "set"].contains(element["type"]), let id = element["id"] else { return nil }
        (self.element, self.id) = (element, id)
    }

    /// Returns the answer: to pings, to the account's own server for the description that makes it send news of bookmarks,
    /// and an error to everything else, as RFC 6120 §8.2.3 demands.
    func answer(account: JID, followsBookmarks: Bool) -> XMPPElement {
        var attributes = ["id": id, "type": "result"]
        if let from = element["from"] { attributes["to"] = from }
        guard element.child("ping", XMPPNamespace.ping) == nil else { return XMPPElement("iq", attributes) }
        if followsBookmarks, isOfOwnServer(of: account),
            let question = element.child("query", XMPPNamespace.discoInfo)
        {
            return XMPPElement("iq", attributes, [ClientDescription.followingBookmarks.answer(to: question)])
        }
        // Servers push changes of the list of contacts with `set`.
        guard element["type"] == "get" else { return XMPPElement("iq", attributes) }
        attributes["type"] = "error"
        let condition = XMPPElement("service-unavailable", XMPPNamespace.stanzaErrors, [:], [])
        return XMPPElement("iq", attributes, [XMPPElement("error", ["type": "cancel"], [condition])])
    }

    /// Returns true for the account's server, which speaks without an address, with its own, or with the account's: Prosody
    /// (0.12.3) asks with the address, ejabberd (23.01) with this connection's. The account's other clients are trusted, too.
    private func isOfOwnServer(of account: JID) -> Bool {
        guard let address = element.from else { return true }
        return address.bare == account || address == JID(local: "", domain: account.domain)
    }
}
