/// An element of XML, with the namespace that its prefix stands for.
package struct XMPPElement: Sendable, Hashable {
    /// A part of an element's content.
    package enum Node: Sendable, Hashable {
        case element(XMPPElement)
        case text(String)
    }

    /// The name without its prefix; with the prefix if nothing declares that.
    package var name: String
    /// Empty for an undeclared prefix.
    package var namespace: String
    /// The values by the names as they were sent, such as `xml:lang`. Declarations of namespaces are left out.
    package var attributes: [String: String]
    package var nodes: [Node]

    package init(
        _ name: String, _ namespace: String = XMPPNamespace.client, _ attributes: [String: String] = [:],
        nodes: [Node] = []
    ) {
        (self.name, self.namespace, self.attributes, self.nodes) = (name, namespace, attributes, nodes)
    }

    package init(
        _ name: String, _ namespace: String = XMPPNamespace.client, _ attributes: [String: String] = [:],
        _ children: [XMPPElement]
    ) {
        self.init(name, namespace, attributes, nodes: children.map { .element($0) })
    }

    package init(_ name: String, _ namespace: String, _ attributes: [String: String] = [:], text: String) {
        self.init(name, namespace, attributes, nodes: [.text(text)])
    }

    package subscript(_ attribute: String) -> String? { attributes[attribute] }

    package var children: [XMPPElement] {
        nodes.compactMap { if case .element(let child) = $0 { child } else { nil } }
    }

    /// The text that is directly in the element.
    package var text: String {
        nodes.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }

    package func `is`(_ name: String, _ namespace: String) -> Bool {
        self.name == name && self.namespace == namespace
    }

    /// Returns the first child with this name and namespace.
    package func child(_ name: String, _ namespace: String) -> XMPPElement? {
        for case .element(let child) in nodes where child.is(name, namespace) { return child }
        return nil
    }

    package func children(_ name: String, _ namespace: String) -> [XMPPElement] {
        children.filter { $0.is(name, namespace) }
    }
}
