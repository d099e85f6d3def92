extension XMPPElement {
    /// The reason of an error for people: a sentence for its condition, or the condition if it is unknown, and the server's
    /// own words, such as `the server is shutting down (system-shutdown): Back in a minute`.
    package var errorWords: String { errorWords(Self.sentences) }

    /// The reason why a room refuses, such as `only members may join; ask an owner of the room to make the account a member
    /// (registration-required)`.
    package var roomErrorWords: String { errorWords(Self.roomSentences.merging(Self.sentences) { room, _ in room }) }

    private func errorWords(_ sentences: [String: String]) -> String {
        let error = self.is("error", XMPPNamespace.streams) ? self : child("error", XMPPNamespace.client) ?? self
        guard let condition = error.children.first(where: { $0.name != "text" }) else {
            return "the server gave no reason" + ownWords(of: error)
        }
        let name = condition.name + (condition.text.isEmpty ? "" : " \(condition.text)")
        return (sentences[condition.name].map { "\($0) (\(name))" } ?? name) + ownWords(of: error)
    }

    private func ownWords(of error: XMPPElement) -> String {
        error.children.first { $0.name == "text" && !$0.text.isEmpty }.map { ": \($0.text)" } ?? ""
    }

    /// Sentences for conditions of streams (RFC 6120 §4.9.3), logins (§6.5) and stanzas (§8.3.3).
    private static let sentences = [
        "account-disabled": "the account is disabled; ask the server's operator",
        "conflict": "another connection of the account took its place",
        "connection-timeout": "the server did not hear from us",
        "feature-not-implemented": "the server does not offer this",
        "forbidden": "the account may not do this; it may be banned, or not be a member",
        "gone": "the address is no longer in use",
        "host-gone": "the server no longer has the account's domain",
        "host-unknown": "the server does not have the account's domain; check jid and server",
        "internal-server-error": "the server has an internal error; its operator finds it in the server's log",
        "item-not-found": "the server does not have it; check the address",
        "not-allowed": "the server does not allow this; ask its operator",
        "not-authorized": "the name or the password is wrong",
        "policy-violation": "the server has a rule against this; ask its operator",
        "remote-server-not-found": "the address's server can't be found; check the address",
        "remote-server-timeout": "the address's server did not answer",
        "reset": "the server closes all connections to begin again",
        "resource-constraint": "the server is too busy",
        "see-other-host": "the server sends its clients to another one; set server",
        "service-unavailable": "the server does not offer this, or not now",
        "system-shutdown": "the server is shutting down",
    ]

    /// Sentences for what means something else in a room (XEP-0045 §7.2).
    private static let roomSentences = [
        "conflict": "another person has the nick; set another one",
        "forbidden": "the account is banned from the room, or not a member of it; ask an owner of the room",
        "gone": "the room no longer exists; remove it from the configuration, or set its new address",
        "item-not-found": "there is no such room; check its address",
        "not-acceptable": "the room does not allow this nick; set the nick that is registered there",
        "not-allowed": "there is no such room, and the account may not make one; check its address",
        "not-authorized": "the room needs a password, or has another one; write it into room_passwords_file",
        "registration-required": "only members may join; ask an owner of the room to make the account a member",
        "resource-constraint": "the room is full",
        "service-unavailable": "the room is full, or its server does not answer now",
    ]

    /// The condition of an error, such as `item-not-found`; nil for another stanza.
    package var errorCondition: String? {
        guard self["type"] == "error" else { return nil }
        return child("error", XMPPNamespace.client)?.children.first { $0.namespace == XMPPNamespace.stanzaErrors }?.name
            ?? "undefined-condition"
    }

    /// True for an error that may be over soon, such as that of a server that is starting (RFC 6120 §8.3.2).
    package var isTemporaryError: Bool {
        child("error", XMPPNamespace.client)?["type"] == "wait"
            || ["internal-server-error", "service-unavailable", "remote-server-timeout"].contains(errorCondition)
    }
}
