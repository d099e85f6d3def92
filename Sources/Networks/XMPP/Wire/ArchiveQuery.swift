/// A question for a page of a message archive, from the newer end backwards (XEP-0313, XEP-0059).
package struct ArchiveQuery: Sendable, Hashable {
    /// The room; nil for the account's own archive.
    package var room: JID?
    /// The id of the page's end, which is not in the page; nil for the newest page.
    package var before: String?
    /// The number of messages to ask for. Servers send fewer (50 by Prosody, 250 by ejabberd).
    package var size: Int

    package init(room: JID?, before: String?, size: Int) {
        (self.room, self.before, self.size) = (room, before, size)
    }

    package func element(id: String) -> XMPPElement {
        let page = XMPPElement(
            "set", XMPPNamespace.pages, [:],
            [
                XMPPElement("max", XMPPNamespace.pages, text: "\(size)"),
                XMPPElement("before", XMPPNamespace.pages, nodes: before.map { [.text($0)] } ?? []),
            ])
        var attributes = ["type": "set", "id": id]
        if let room { attributes["to"] = "\(room)" }
        return XMPPElement("iq", attributes, [XMPPElement("query", XMPPNamespace.archive, ["queryid": id], [page])])
    }
}

/// A message of an archive.
package struct ArchivedMessage: Sendable, Hashable {
    /// The archive's id.
    package var id: String
    /// The id of the question.
    package var query: String
    /// The time at which the archive got the message; nil if it can't be read.
    package var delay: XMPPMessage.Delay?
    package var message: XMPPElement
    /// The whole stanza as it was received.
    package var raw: [UInt8]

    /// Nil for another stanza.
    package init?(_ element: XMPPElement, raw: [UInt8]) {
        guard element.name == "message", let result = element.child("result", XMPPNamespace.archive),
            let id = result["id"], !id.isEmpty, let query = result["queryid"], let forwarded = result.forwarded
        else { return nil }
        (self.id, self.query, self.raw) = (id, query, raw)
        (message, delay) = (forwarded.message, forwarded.delay)
    }
}

/// The end of a page.
package struct ArchivePageEnd: Sendable, Hashable {
    /// True if the archive has nothing before the page.
    package var isComplete: Bool
    package var first: String?
    package var last: String?

    /// Nil for an answer without an end.
    package init?(_ answer: XMPPElement) {
        guard let fin = answer.child("fin", XMPPNamespace.archive) else { return nil }
        isComplete = ["true", "1"].contains(fin["complete"] ?? "")
        let page = fin.child("set", XMPPNamespace.pages)
        first = page?.child("first", XMPPNamespace.pages)?.text
        last = page?.child("last", XMPPNamespace.pages)?.text
    }
}
