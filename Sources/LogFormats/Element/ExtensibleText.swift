import Bytes

/// Texts of extensible events (MSC1767), which give a text in several forms: plain, as HTML, or as other types.
enum ExtensibleText {
    /// Returns the text of an object, such as a poll's question: that of extensible events, or else its `body`. Nil if it has
    /// none.
    static func text(in object: JSONValue) throws(UnreadablePiece) -> String? {
        try extensible(in: object) ?? object["body"]?.text
    }

    /// Returns the text that extensible events have; nil if the object has none.
    static func extensible(in object: JSONValue) throws(UnreadablePiece) -> String? {
        let plain = object["org.matrix.msc1767.text"] ?? object["m.text"]
        if let plain, let text = try text(of: plain) { return text }
        let forms = object["org.matrix.msc1767.message"] ?? object["m.message"]
        if let forms, let text = try text(of: forms) { return text }
        return (object["org.matrix.msc1767.html"] ?? object["m.html"])?.text.map(withoutTags)
    }

    /// Returns the text of a string or of a list of forms: the first plain one, or else the first of any type, without the tags of
    /// HTML.
    private static func text(of value: JSONValue) throws(UnreadablePiece) -> String? {
        guard value.isList else { return value.text.flatMap { $0.isEmpty ? nil : $0 } }
        var other: String?
        for form in try value.elements() {
            guard let body = form["body"]?.text, !body.isEmpty else { continue }
            let type = form["mimetype"]?.text?.prefix { $0 != ";" }.lowercased() ?? "text/plain"
            if type == "text/plain" { return body }
            other = other ?? (type.contains("html") ? withoutTags(body) : body)
        }
        return other
    }

    /// The elements of HTML that begin a line.
    private static let blocks: Set = [
        "br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre",
    ]

    private static func withoutTags(_ html: String) -> String {
        var (text, scanner) = ([UInt8](), HTMLScanner(Array(html.utf8)[...]))
        while let token = scanner.next() {
            switch token {
            case .text(let words): text += HTMLText(words).bytes
            case .opening(let tag) where !text.isEmpty && blocks.contains(where: tag.isNamed):
                text.append(Byte.lineFeed)
            default: break
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
