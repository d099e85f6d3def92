import ChatModel

extension NetworkTraits {
    package static let matrix = NetworkTraits("matrix") {
        ($0.folding, $0.hasPermanentKeys, $0.hasPersonIDs) = (.exact, true, true)
        // Client-server API, `m.notice`.
        $0.noticesAreOfBots = true
    }
}
