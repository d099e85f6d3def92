/// An XMPP address (RFC 7622): `alice@example.org/phone`.
package struct JID: Sendable, Hashable, CustomStringConvertible {
    /// Empty for the address of a server.
    package let local: String
    package let domain: String
    /// Empty for an address without a resource; in a room, the nick.
    package let resource: String

    /// The longest part, in bytes (RFC 7622 §3).
    private static let maximumPart = 1023

    package init(local: String, domain: String, resource: String = "") {
        (self.local, self.domain, self.resource) = (local, domain, resource)
    }

    /// Reads an address; nil for a text that is none. Letters before the slash are compared in lower case, which is a part
    /// of what RFC 7622 demands: servers send addresses in that form.
    package init?(_ text: String) {
        let slash = text.firstIndex(of: "/")
        let bare = text[..<(slash ?? text.endIndex)]
        let at = bare.firstIndex(of: "@")
        local = at.map { bare[..<$0].lowercased() } ?? ""
        domain = at.map { bare[bare.index(after: $0)...].lowercased() } ?? bare.lowercased()
        resource = slash.map { String(text[text.index(after: $0)...]) } ?? ""
        guard !domain.isEmpty, (at == nil) == local.isEmpty, (slash == nil) == resource.isEmpty,
            [local, domain, resource].allSatisfy({ $0.utf8.count <= Self.maximumPart }),
            !domain.contains(where: { $0 == "@" || $0.isWhitespace }), !local.contains(where: { Self.isForbidden($0) })
        else { return nil }
    }

    private static func isForbidden(_ character: Character) -> Bool {
        character.isWhitespace || "\"&'/:<>@".contains(character)
    }

    /// The address without its resource.
    package var bare: JID { JID(local: local, domain: domain) }
    package var isBare: Bool { resource.isEmpty }

    package func with(resource: String) -> JID { JID(local: local, domain: domain, resource: resource) }

    package var description: String {
        (local.isEmpty ? "" : local + "@") + domain + (resource.isEmpty ? "" : "/" + resource)
    }
}

extension XMPPElement {
    /// The sender; nil if there is none, or it can't be read.
    package var from: JID? { self["from"].flatMap { JID($0) } }
    package var to: JID? { self["to"].flatMap { JID($0) } }
}
