import ChatModel

extension NetworkTraits {
    package static let xmpp = NetworkTraits("xmpp") {
        // Servers send addresses in one form (RFC 7622 §3), and everybody may take any nick.
        ($0.folding, $0.hasPermanentKeys) = (.exact, true)
        ($0.hasServerIDs, $0.hasPersonIDs) = (true, true)
    }
}
