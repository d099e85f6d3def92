import Crypto
import FoundationEssentials

/// The description of this client, by which servers know the news that it wants (XEP-0030, XEP-0115, XEP-0163).
package struct ClientDescription: Sendable, Hashable {
    package var category: String
    package var type: String
    package var name: String
    package var features: [String]

    package init(category: String, type: String, name: String, features: [String]) {
        (self.category, self.type, self.name, self.features) = (category, type, name, features)
    }

    /// A client that wants news of the account's bookmarks.
    package static let followingBookmarks = ClientDescription(
        category: "client", type: "bot", name: "Scrollback",
        features: [
            XMPPNamespace.capabilities, XMPPNamespace.discoInfo, XMPPNamespace.ping,
            XMPPNamespace.bookmarks + "+notify", XMPPNamespace.earlierBookmarks + "+notify",
        ])

    /// The digest by which servers recognise the description (XEP-0115 §5.1).
    package var verification: String {
        let parts = ["\(category)/\(type)//\(name)"] + features.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let text = parts.map { $0 + "<" }.joined()
        return Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }

    /// The mark in the presence.
    package var mark: XMPPElement {
        XMPPElement(
            "c", XMPPNamespace.capabilities, ["hash": "sha-1", "node": name.lowercased(), "ver": verification], [])
    }

    /// Returns the answer's content to a question for the description.
    package func answer(to question: XMPPElement) -> XMPPElement {
        let identity = XMPPElement(
            "identity", XMPPNamespace.discoInfo, ["category": category, "type": type, "name": name], [])
        let parts = features.map { XMPPElement("feature", XMPPNamespace.discoInfo, ["var": $0], []) }
        return XMPPElement(
            "query", XMPPNamespace.discoInfo, question["node"].map { ["node": $0] } ?? [:], [identity] + parts)
    }
}
