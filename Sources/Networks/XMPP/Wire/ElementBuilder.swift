/// Builds an element from the parts that a reader of XML finds, and resolves prefixes.
///
/// An element that breaks a limit is still read to its end, so that the stream continues after it.
package struct ElementBuilder: Sendable {
    /// The bounds of one stanza, far above what clients send: a page of a room's list of members has some hundred elements.
    package struct Limits: Sendable {
        package var depth = 64
        package var attributes = 64
        package var elements = 20_000

        package init() {}
    }

    private let limits: Limits
    /// The declared prefixes, the innermost last; empty for the namespace of names without a prefix.
    private var scopes: [(prefix: Substring, namespace: String, depth: Int)] = []
    private var open: [XMPPElement] = []
    /// The text at the end of the innermost element, which comes in many pieces.
    private var text = ""
    private var depth = 0
    private var count = 0
    private var trouble: String?

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Returns the stream's own element, whose declarations hold for all stanzas.
    mutating func root(_ name: String, _ attributes: [(name: String, value: String)]) -> XMPPElement {
        (scopes, depth) = ([], 1)
        return element(name, attributes)
    }

    mutating func begin(_ name: String, _ attributes: [(name: String, value: String)], depth: Int) {
        (self.depth, count) = (depth, count + 1)
        if depth - passingLevels > limits.depth { trouble = trouble ?? "it has more than \(limits.depth) levels" }
        if count > limits.elements { trouble = trouble ?? "it has more than \(limits.elements) elements" }
        if attributes.count > limits.attributes {
            trouble = trouble ?? "an element has more than \(limits.attributes) attributes"
        }
        guard trouble == nil else { return }
        endText()
        open.append(element(name, attributes))
    }

    /// The levels around a message that an archive or another client passes on (XEP-0313, XEP-0280): so deep, the message
    /// came live without them.
    private var passingLevels: Int {
        guard open.count > 2, open[2].is("forwarded", XMPPNamespace.forward),
            open[1].is("result", XMPPNamespace.archive) || open[1].namespace == XMPPNamespace.carbons
        else { return 0 }
        return 3
    }

    mutating func add(_ piece: String) {
        if trouble == nil { text += piece }
    }

    private mutating func endText() {
        guard !text.isEmpty, let last = open.indices.last else { return }
        open[last].nodes.append(.text(text))
        text = ""
    }

    /// Ends the innermost element, which is in another one of the same stanza.
    mutating func end() {
        leave()
        guard trouble == nil, open.count > 1 else { return }
        endText()
        let child = open.removeLast()
        open[open.count - 1].nodes.append(.element(child))
    }

    /// Ends the stanza.
    mutating func finish() -> Result<XMPPElement, ReceivedStanza.Unreadable> {
        leave()
        endText()
        defer { (open, text, count, trouble) = ([], "", 0, nil) }
        guard trouble == nil, let stanza = open.first else {
            return .failure(ReceivedStanza.Unreadable(reason: trouble ?? "it is empty", outline: outline))
        }
        return .success(stanza)
    }

    /// The part of the stanza that was read before it broke a limit.
    private var outline: XMPPElement? {
        open.dropLast().reversed().reduce(open.last) { child, parent in
            var parent = parent
            if let child { parent.nodes.append(.element(child)) }
            return parent
        }
    }

    private mutating func leave() {
        while let scope = scopes.last, scope.depth >= depth { scopes.removeLast() }
        depth -= 1
    }

    private mutating func element(_ name: String, _ attributes: [(name: String, value: String)]) -> XMPPElement {
        var kept: [String: String] = [:]
        for (name, value) in attributes {
            if name == "xmlns" {
                scopes.append(("", value, depth))
            } else if name.hasPrefix("xmlns:") {
                scopes.append((name.dropFirst(6), value, depth))
            } else {
                kept[name] = value
            }
        }
        let colon = name.firstIndex(of: ":")
        let prefix = colon.map { name[..<$0] } ?? ""
        guard let namespace = scopes.last(where: { $0.prefix == prefix })?.namespace else {
            return XMPPElement(name, prefix.isEmpty ? XMPPNamespace.client : "", kept)
        }
        return XMPPElement(colon.map { String(name[name.index(after: $0)...]) } ?? name, namespace, kept)
    }
}
