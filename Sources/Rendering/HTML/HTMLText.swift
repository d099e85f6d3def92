import ChatModel

/// Texts as HTML, safe and readable.
package enum HTMLText {
    /// Returns a text that stays on one line; safe in an attribute's quotes too.
    package static func line(_ text: String) -> HTML {
        "\(Sanitizer.line(text))"
    }

    /// Returns a name or title, cut to `limit` code points.
    package static func name(_ text: String, limit: Int = nameLimit) -> HTML {
        line(MessageRemarks.cut(text, to: limit))
    }

    /// Returns a list such as `alice, bob and 5 more`. Each name has its own direction.
    package static func people(_ names: [String]) -> HTML {
        let (shown, rest) = MessageRemarks.shownPeople(names)
        return shown.map { "<bdi>\($0)</bdi>" as HTML }.joined(separator: ", ")
            + (rest > 0 ? " and \(rest.grouped) more" : "")
    }

    /// The limit of code points of a name. No known network allows more.
    package static let nameLimit = 300

    /// Returns a body as HTML. Lines and tabs stay, links become links, and IRC's styles become classes. A body of more
    /// than 64 KiB is cut.
    ///
    /// - Parameter ranges: Returns the ranges to highlight; nil for none.
    package static func body(_ text: String, ranges: BodyRanges? = nil) -> HTML {
        let shown = beginning(of: text)
        let styled = StyledText(shown, matches: ranges?(shown) ?? [])
        let pieces = BodyLink.pieces(of: styled.text)
        var html: HTML = ""
        for (piece, parts) in zip(pieces, styled.cut(into: pieces.map(\.text))) {
            let words = parts.map(part).joined()
            switch piece {
            case .text: html += words
            case .link(let link): html += self.link(link, text: words)
            }
        }
        let rest = text.utf8.count - shown.utf8.count
        return rest == 0 ? html : html + "<em class=\"k\"> … \(rest.grouped) more bytes are not shown</em>"
    }

    private static func part(_ part: StyledText.Part) -> HTML {
        let classes = HTMLStyle.classes(of: part.style).joined(separator: " ")
        let text: HTML = part.isMatch ? "<mark>\(part.text)</mark>" : "\(part.text)"
        return classes.isEmpty ? text : "<span class=\"\(classes)\">\(text)</span>"
    }

    /// - Parameters:
    ///   - link: A link that ``BodyLink`` found.
    ///   - text: HTML to show as the link.
    package static func link(_ link: String, text: HTML) -> HTML {
        "<a rel=\"noopener noreferrer nofollow\" dir=\"ltr\" href=\"\(link: link)\">\(text)</a>"
    }

    /// Returns the body, cut to 64 KiB so that it fits on a page: one byte may become ten (`'` in a link, which occurs
    /// twice). No message of a listener is longer.
    private static func beginning(of text: String) -> String {
        guard text.utf8.count > bodyLimit else { return text }
        var bytes = 0
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix { scalar in
                    bytes += UTF8.width(scalar)
                    return bytes <= bodyLimit
                }))
    }

    static let bodyLimit = 64 * 1024

    /// Returns a relative path as an address, percent-encoded except for unreserved characters and `/` (RFC 3986 §2.3).
    package static func address(_ path: String) -> String {
        path.utf8.reduce(into: "") { address, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "/"):
                address.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                address += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// Returns the pieces for as many elements as a page has room for. The last piece has the number of the others.
    ///
    /// - Parameters:
    ///   - bytes: The limit of the pieces' HTML in bytes.
    ///   - rest: Returns the text about the elements that aren't shown.
    package static func some<Element>(
        _ elements: [Element], count: Int, bytes: Int, piece: (Element) -> HTML, rest: (Int) -> HTML
    ) -> [HTML] {
        var (shown, size): ([HTML], Int) = ([], 0)
        for element in elements.prefix(count) {
            let piece = piece(element)
            size += piece.text.utf8.count
            guard size <= bytes else { break }
            shown.append(piece)
        }
        return shown.count == elements.count ? shown : shown + [rest(elements.count - shown.count)]
    }
}
