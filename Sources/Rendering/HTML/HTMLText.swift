import ChatModel
import Foundation

/// Texts as HTML: no text becomes a tag, an attribute or an entity of its own.
package enum HTMLText {
    /// For a text that must stay on its line; also in an attribute's quotes.
    package static func line(_ text: String) -> String {
        escape(Sanitizer.line(text))
    }

    /// A name or a title, cut where it is longer than any that people give.
    package static func name(_ text: String, limit: Int = nameLimit) -> String {
        line(MessageRemarks.cut(text, to: limit))
    }

    /// No network that we know has names of more code points.
    package static let nameLimit = 300

    /// Lines and tabs stay; links are offered as such, and the styles of IRC are classes.
    package static func body(_ text: String) -> String {
        let shown = beginning(of: text)
        let styled = StyledText(shown)
        let pieces = BodyLink.pieces(of: styled.text)
        var html = ""
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

    private static func part(_ part: StyledText.Part) -> String {
        let classes = HTMLStyle.classes(of: part.style).joined(separator: " ")
        let text = escape(part.text)
        return classes.isEmpty ? text : "<span class=\"\(classes)\">\(text)</span>"
    }

    /// - Parameters:
    ///   - link: As ``BodyLink`` found it.
    ///   - text: HTML.
    package static func link(_ link: String, text: String) -> String {
        "<a rel=\"noopener noreferrer nofollow\" dir=\"ltr\" href=\"\(escape(link))\">\(text)</a>"
    }

    /// A body that fits a page whatever it is made of: of a byte come at most ten (`'` in a link, which is there twice).
    /// No message of a listener's is longer (64 KiB).
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

    /// All five characters that HTML may act upon.
    package static func escape(_ text: String) -> String {
        // Most have none.
        guard text.utf8.hasAny(isSpecial) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if isSpecial(byte), let entity = entity(byte) { result += entity.utf8 } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
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

    /// A path below a folder as an address: what means something in one is written as `%23`.
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

    /// As many of the elements as a page has room for, and how many there are beside.
    ///
    /// - Parameters:
    ///   - bytes: Of the pieces of HTML that `piece` makes.
    ///   - rest: What to say of those that are not shown.
    package static func some<Element>(
        _ elements: [Element], count: Int, bytes: Int, piece: (Element) -> String, rest: (Int) -> String
    ) -> [String] {
        var (shown, size): ([String], Int) = ([], 0)
        for element in elements.prefix(count) {
            let piece = piece(element)
            size += piece.utf8.count
            guard size <= bytes else { break }
            shown.append(piece)
        }
        return shown.count == elements.count ? shown : shown + [rest(elements.count - shown.count)]
    }
}
