import SLPWire

extension FuzzTarget {
    /// The answers of a workspace's server.
    static let slp = FuzzTarget("slp") { input in
        let parts = Parts(input).parts
        for key in [nil, "chats"] {
            var limits = ElementSplitter.Limits()
            (limits.elementBytes, limits.envelopeBytes, limits.keptBytes) = (300, 200, 20)
            let whole = Cut([input], key: key, limits)
            try requireEqual(Cut(parts, key: key, limits), whole, "elements of a split answer")
            for element in whole.elements {
                if case .whole(let bytes) = element {
                    try require(bytes.count <= limits.elementBytes, "an element of \(bytes.count) bytes")
                }
                _ = (DecodedElement<SLPChat>(element), DecodedElement<SLPUser>(element))
                _ = (DecodedElement<SLPChannel>(element), DecodedElement<SLPDirectRoom>(element))
            }
        }
        _ = (DecodedElement<SLPProfile>(input), DecodedElement<SLPWorkspace>(input), DecodedElement<SLPUnread>(input))
        _ = (DecodedElement<SLPLoginAnswer>(input), DecodedElement<SLPRefreshAnswer>(input))
        _ = (DecodedElement<SLPTokens>(input), SLPChat.time(ofUnreadable: input))
        let refusal = SLPRefusal(status: 400 + input.count % 200, body: input)
        _ = (refusal.reaction, refusal.description)
        if let path = SLPFilePath(input.text, base: "https://chat.example.net/v1")?.path {
            try requireEqual(SLPFilePath(path, base: "https://chat.example.net/v1")?.path, path, "a path read again")
        }
        if let time = SLPTime(input.text) {
            let cursor = SLPTime(SLPTime.cursor(time.microseconds))
            try require((cursor?.microseconds ?? .max) <= time.microseconds, "a cursor after its time")
        }
        _ = SLPTime.microseconds(ofDate: input.text)
    }
}

/// The elements of an answer, and its end.
private struct Cut: Equatable {
    private(set) var elements: [ElementSplitter.Element] = []
    private var failure: SplitError?
    private var isComplete = false

    init(_ parts: [[UInt8]], key: String?, _ limits: ElementSplitter.Limits) {
        var splitter = ElementSplitter(key: key, limits: limits)
        do throws(SplitError) {
            for part in parts {
                splitter.read(part)
                while let element = try splitter.next() { elements.append(element) }
            }
        } catch {
            failure = error
        }
        isComplete = splitter.isComplete
    }
}
