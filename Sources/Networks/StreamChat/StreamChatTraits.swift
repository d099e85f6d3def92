import ChatModel

extension NetworkTraits {
    package static let streamChat = NetworkTraits("streamchat") {
        $0.folding = .exact
        // An account is connecting until a message arrives in its room, and servers answer no pings.
        $0.provesLife = false
    }
}
