/// The answer of a server or a room about itself (XEP-0030).
package struct DiscoInfo: Sendable, Hashable {
    package let features: Set<String>
    /// The name of a room.
    package let name: String?
    /// The description of a room.
    package let description: String?
    /// True if it is a room.
    package let isRoom: Bool

    package init(_ answer: XMPPElement) {
        let query = answer.child("query", XMPPNamespace.discoInfo)
        features = Set(query?.children("feature", XMPPNamespace.discoInfo).compactMap { $0["var"] } ?? [])
        let identities = query?.children("identity", XMPPNamespace.discoInfo) ?? []
        let room = identities.first { $0["category"] == "conference" }
        (isRoom, name) = (room != nil, room?["name"].flatMap { $0.isEmpty ? nil : $0 })
        let fields = query?.child("x", XMPPNamespace.forms)?.children("field", XMPPNamespace.forms) ?? []
        let described = fields.first { $0["var"] == "muc#roominfo_description" }?.child("value", XMPPNamespace.forms)?
            .text
        description = described.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// True if the messages are archived (XEP-0313).
    package var hasArchive: Bool { features.contains(XMPPNamespace.archive) }
    /// True if the room gives its people ids that nobody can choose (XEP-0421).
    package var hasOccupantIDs: Bool { features.contains(XMPPNamespace.occupantIDs) }
    /// True if everybody in the room sees addresses.
    package var showsAddresses: Bool { features.contains("muc_nonanonymous") }

    /// True if only members of the room may join it.
    package var isMembersOnly: Bool { features.contains("muc_membersonly") }
    /// True if people need a password to join the room.
    package var needsPassword: Bool { features.contains("muc_passwordprotected") }

    /// Returns the question.
    package static func query(to address: JID, id: String) -> XMPPElement {
        XMPPElement(
            "iq", ["type": "get", "id": id, "to": "\(address)"],
            [XMPPElement("query", XMPPNamespace.discoInfo, [:], [])])
    }
}
