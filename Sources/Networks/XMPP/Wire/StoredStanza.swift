/// Stanzas as the archive keeps them.
package enum StoredStanza {
    /// Returns the message in the bytes of a stanza: the one that an archive or another client passed on, or the stanza
    /// itself. Nil for bytes that are no message.
    package static func message(of raw: [UInt8]) -> XMPPMessage? {
        let header = "<stream:stream xmlns='\(XMPPNamespace.client)' xmlns:stream='\(XMPPNamespace.streams)'>"
        let (units, _) = StanzaSplitter().split(Array(header.utf8) + raw)
        guard case .stanza(let stanza)? = units.last, case .success(let element) = stanza.content,
            element.name == "message"
        else { return nil }
        return XMPPMessage(ArchivedMessage(element, raw: raw)?.message ?? element.carbon ?? element)
    }

    /// Returns the sender's ids of a message, by which others refer to it.
    package static func senderIDs(of raw: [UInt8]) -> [String] { message(of: raw)?.senderIDs ?? [] }
}
