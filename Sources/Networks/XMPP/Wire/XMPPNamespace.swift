/// The namespaces of elements that the archiver reads or sends.
package enum XMPPNamespace {
    package static let streams = "http://etherx.jabber.org/streams"
    package static let client = "jabber:client"
    package static let startTLS = "urn:ietf:params:xml:ns:xmpp-tls"
    package static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
    package static let bind = "urn:ietf:params:xml:ns:xmpp-bind"
    package static let stanzaErrors = "urn:ietf:params:xml:ns:xmpp-stanzas"
    package static let streamErrors = "urn:ietf:params:xml:ns:xmpp-streams"
    /// Stream management (XEP-0198).
    package static let management = "urn:xmpp:sm:3"
    package static let ping = "urn:xmpp:ping"
    package static let version = "jabber:iq:version"
    /// Service discovery (XEP-0030).
    package static let discoInfo = "http://jabber.org/protocol/disco#info"
    /// Data forms (XEP-0004).
    package static let forms = "jabber:x:data"
    /// Rooms (XEP-0045).
    package static let muc = "http://jabber.org/protocol/muc"
    package static let mucUser = "http://jabber.org/protocol/muc#user"
    package static let directInvitation = "jabber:x:conference"
    /// Message archives (XEP-0313), with pages (XEP-0059).
    package static let archive = "urn:xmpp:mam:2"
    package static let pages = "http://jabber.org/protocol/rsm"
    package static let forward = "urn:xmpp:forward:0"
    package static let delay = "urn:xmpp:delay"
    package static let carbons = "urn:xmpp:carbons:2"
    /// Stanza ids, which servers give, and origin ids, which senders give (XEP-0359).
    package static let ids = "urn:xmpp:sid:0"
    package static let occupantIDs = "urn:xmpp:occupant-id:0"
    package static let correction = "urn:xmpp:message-correct:0"
    package static let retraction = "urn:xmpp:message-retract:1"
    package static let earlierRetraction = "urn:xmpp:message-retract:0"
    package static let moderation = "urn:xmpp:message-moderate:1"
    package static let earlierModeration = "urn:xmpp:message-moderate:0"
    package static let fastening = "urn:xmpp:fasten:0"
    package static let reactions = "urn:xmpp:reactions:0"
    package static let reply = "urn:xmpp:reply:0"
    package static let fallback = "urn:xmpp:fallback:0"
    /// Links to files (XEP-0066).
    package static let files = "jabber:x:oob"
    package static let markers = "urn:xmpp:chat-markers:0"
    package static let encryptionMark = "urn:xmpp:eme:0"
    /// OMEMO, in both versions that clients send (XEP-0384), and OpenPGP (XEP-0373).
    package static let encryptions: Set = ["eu.siacs.conversations.axolotl", "urn:xmpp:omemo:2", "urn:xmpp:openpgp:0"]
    package static let hints = "urn:xmpp:hints"
    /// The mark of an earlier XEP-0313 that ejabberd (23.01) adds to each archived message.
    package static let archived = "urn:xmpp:mam:tmp"
    /// Bookmarks (XEP-0402), and the earlier ones in private storage (XEP-0048, XEP-0049).
    package static let bookmarks = "urn:xmpp:bookmarks:1"
    package static let earlierBookmarks = "storage:bookmarks"
    package static let privateStorage = "jabber:iq:private"
    package static let pubSub = "http://jabber.org/protocol/pubsub"
    /// News of what an account publishes (XEP-0163).
    package static let pubSubEvents = "http://jabber.org/protocol/pubsub#event"
    /// The description of a client in its presence (XEP-0115).
    package static let capabilities = "http://jabber.org/protocol/caps"
}
