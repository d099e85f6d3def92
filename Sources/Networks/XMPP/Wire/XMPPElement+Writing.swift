extension XMPPElement {
    /// The bytes of the element as a stanza of a client's stream.
    package var encoded: [UInt8] {
        var text = ""
        write(to: &text, in: XMPPNamespace.client)
        return Array(text.utf8)
    }

    private func write(to text: inout String, in outer: String) {
        text += "<\(name)"
        if namespace != outer { text += " xmlns='\(Self.escape(namespace))'" }
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) { text += " \(name)='\(Self.escape(value))'" }
        guard !nodes.isEmpty else { return text += "/>" }
        text += ">"
        for node in nodes {
            switch node {
            case .element(let child): child.write(to: &text, in: namespace)
            case .text(let content): text += Self.escape(content)
            }
        }
        text += "</\(name)>"
    }

    /// Returns a text for content and attributes. Leaves out characters that XML can't have.
    package static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "'", "\"": escaped += "&#x\(String(scalar.value, radix: 16));"
            case "\t", "\n", "\r": escaped += "&#x\(String(scalar.value, radix: 16));"
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
