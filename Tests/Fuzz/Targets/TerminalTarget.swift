import ChatModel
import Foundation
import SearchText

@testable import Rendering

extension FuzzTarget {
    /// Texts of others on a terminal and in documents of text.
    static let terminal = FuzzTarget("terminal") { input in
        let text = input.text
        try requireSafe(Sanitizer.line(text))
        try requireSafe(Sanitizer.body(text), besides: "\n\t")
        try requireEqual(Sanitizer.line(Sanitizer.line(text)), Sanitizer.line(text), "a safe text")
        try checkLines(text)
        try checkBridge(text)
        try requireSafe(String(CSV.record([text, "=\(text)"]).dropLast()))
        let json = JSONValue.object([.init(key: text, value: .array([.string(text), .null]))]).text
        try require(!json.unicodeScalars.contains { $0.properties.generalCategory == .control }, "controls in JSON")
        let read = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [Any]]
        try requireEqual((read?.values.first?.first as? String).map { Array($0.utf8) }, Array(text.utf8), "JSON")
        let line = String(decoding: try JSONLine.bytes([text]).dropLast(), as: UTF8.self)
        try require(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "controls in a line")
        if !text.hasPrefix("~") {
            try requireEqual(ShellWord.text(ShellWord.quoted(text), home: "/home"), text, "a shell's word")
        }
    }

    /// The author of a bridge's message.
    private static func checkBridge(_ text: String) throws {
        for pattern in ["<{nick}> {text}", "{nick}: {text}"] {
            guard let found = try BridgePattern(pattern).match(text) else { continue }
            try require(!found.nick.isEmpty && found.nick.unicodeScalars.count <= 101, "nick \(found.nick)")
            try require(text.utf8.suffix(found.text.utf8.count).elementsEqual(found.text.utf8), "the text of a bridge")
        }
    }

    private static func checkLines(_ text: String) throws {
        let styled = StyledText(text)
        try requireSafe(styled.text, besides: "\n\t")
        for width in [1, 20, 80] {
            let lines = TextWrap.lines(of: styled.text, width: width)
            for line in lines {
                try require(DisplayWidth.atMost(line) <= width || line.count == 1, "\(line) in \(width) cells")
            }
            for line in styled.painted(lines, .plain) { try requireSafe(line, besides: "\t") }
            let cut = DisplayWidth.cut(Sanitizer.line(text), to: width)
            try require(DisplayWidth.of(cut) <= width, "\(cut) in \(width) cells")
        }
    }

    /// The same texts in documents of HTML. The first line is a search.
    static let html = FuzzTarget("html") { input in
        let (line, rest) = input.firstLine
        let text = rest.text
        for html in [HTMLText.line(text), HTMLText.name(text), "\(text)"] {
            try require(!hasMarkup(html.text), "markup in \(html.text)")
        }
        let body = HTMLText.body(text, ranges: Highlighter(SearchQuery(parsing: line.text)).ranges).text
        // Tags and attributes of our own only: no text adds one.
        let tags =
            /<(\/?(mark|span|a|em)|span class="[a-z0-9 -]*"|em class="k"|a rel="noopener noreferrer nofollow" dir="ltr" href="https?:\/\/[^"<> ]*")>/
        let words = body.replacing(tags.matchingSemantics(.unicodeScalar).ignoresCase(), with: "")
        try require(!hasMarkup(words), "markup in \(body)")
        try requireSafe(words, besides: "\n\t")
        for link in BodyLink.pieces(of: text) {
            if case .link(let link) = link { _ = BodyLink.host(link) }
        }
    }
}

/// Returns true if a text may begin a tag or end an attribute.
private func hasMarkup(_ html: String) -> Bool {
    html.unicodeScalars.contains { ["<", ">", "\"", "'"].contains($0) }
}

/// Requires that a terminal acts upon no character of a text. Characters that may stay beside others are not judged here: a
/// line or an element of HTML may end between the two.
func requireSafe(_ text: String, besides allowed: String = "") throws {
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
        let isForm = (0xE0100...0xE01EF).contains(scalar.value) && previous?.properties.isIdeographic == true
        let mayStay =
            switch scalar.value {
            case 0xAD, 0x180E, 0x200B, 0x200E...0x200F, 0xE0020...0xE007F: true
            default: isForm || allowed.unicodeScalars.contains(scalar)
            }
        let isSafe = !Sanitizer.isHostile(scalar) || mayStay
        try require(isSafe, "U+\(String(scalar.value, radix: 16)) in \(text.debugDescription)")
        previous = scalar
    }
}
