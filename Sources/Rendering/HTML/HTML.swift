/// HTML that is safe to send. A literal is HTML; a text that is put into one is escaped, so that no text becomes a tag,
/// an attribute or an entity. Templates quote every attribute.
///
/// Only this file makes HTML of a text that is not a literal.
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The HTML as it is sent.
    package private(set) var text: String

    /// - Parameter literal: A `StaticString`, which is never a text from outside.
    package init(stringLiteral literal: StaticString) {
        text = literal.description
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        package mutating func appendInterpolation(_ html: HTML) {
            text += html.text
        }

        /// Appends a text or another value, escaped.
        @_disfavoredOverload
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += HTML.escape(value.description)
        }

        /// Appends the address of a link that others wrote; nothing for one that a browser could run.
        package mutating func appendInterpolation(link address: String) {
            let scheme = address.prefix { $0 != ":" }.lowercased()
            if BodyLink.schemes.contains(scheme) { text += HTML.escape(address) }
        }

        /// Appends a style sheet of the program as it is, for a `style` element.
        mutating func appendInterpolation(styleSheet sheet: String) {
            text += sheet
        }
    }

    package var isEmpty: Bool { text.isEmpty }

    package static func + (before: HTML, after: HTML) -> HTML {
        var html = before
        html += after
        return html
    }

    package static func += (html: inout HTML, more: HTML) {
        html.text += more.text
    }

    /// Escapes the five characters with a meaning in HTML.
    private static func escape(_ text: String) -> String {
        // Most texts have none.
        guard text.utf8.hasAny({ entity($0) != nil }) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if let entity = entity(byte) { result += entity.utf8 } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func entity(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}

extension Sequence<HTML> {
    package func joined(separator: HTML = "") -> HTML {
        var html: HTML = ""
        for (index, element) in enumerated() { html += index == 0 ? element : separator + element }
        return html
    }
}

extension DefaultStringInterpolation {
    @available(*, deprecated, message: "HTML in a String is no HTML; make the literal HTML")
    package mutating func appendInterpolation(_ html: HTML) {}
}
