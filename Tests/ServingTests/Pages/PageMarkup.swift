/// The tags of a page, read strictly: each `<` begins a tag that the program writes, each attribute is in double quotes,
/// and each element is closed where it should be.
struct PageMarkup {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Tag {
        var name: String
        var attributes: [String: String]
    }

    private(set) var tags: [Tag] = []

    private static let names: Set = [
        "html", "head", "meta", "title", "link", "script", "body", "a", "header", "img", "span", "h1", "h2", "h3",
        "form",
        "input", "button", "svg", "circle", "path", "nav", "div", "main", "p", "section", "ol", "ul", "li", "time", "b",
        "bdi", "i", "em", "del", "ins", "mark", "small", "details", "summary", "footer", "figure", "figcaption",
        "video",
        "audio", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr", "th", "td", "aside", "label", "select",
        "option", "br", "code", "pre", "kbd",
    ]
    private static let empty: Set = ["meta", "link", "img", "input", "br", "circle", "path"]
    private static let attributes: Set = [
        "lang", "data-zone", "charset", "name", "content", "rel", "href", "type", "src", "class", "aria-label", "alt",
        "width", "height", "role", "action", "placeholder", "autocomplete", "viewBox", "aria-hidden", "focusable", "cx",
        "cy", "r", "fill", "stroke", "stroke-width", "d", "stroke-linecap", "id", "data-feeds", "data-path",
        "data-live", "data-bounded", "data-poll", "data-root",
        "data-facets", "data-count", "value", "required", "aria-current", "aria-labelledby", "datetime", "title", "dir",
        "tabindex", "loading", "decoding", "controls", "preload", "method", "open", "scope", "abbr", "reversed",
        "autofocus", "selected", "form", "data-zone",
    ]

    init(_ page: String) throws {
        var rest = Array(page.utf8)[...]
        if page.hasPrefix("<!DOCTYPE html>\n") { rest = rest.dropFirst(16) }
        var open: [String] = []
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else {
                let text = rest.prefix { $0 != UInt8(ascii: "<") }
                try Self.check(text)
                rest = rest[text.endIndex...]
                continue
            }
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
                throw Failure(description: "no end of a tag")
            }
            let inside = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            if inside.hasPrefix("/") {
                guard open.popLast() == String(inside.dropFirst()) else {
                    throw Failure(description: "<\(inside)> closes nothing")
                }
            } else {
                let tag = try Self.tag(inside)
                tags.append(tag)
                if !Self.empty.contains(tag.name) { open.append(tag.name) }
            }
        }
        guard open.isEmpty else { throw Failure(description: "left open: \(open)") }
    }

    /// Each `&` begins an entity, and no quote or bracket is left.
    private static func check(_ text: ArraySlice<UInt8>) throws {
        let text = String(decoding: text, as: UTF8.self)
        guard !text.utf8.contains(UInt8(ascii: ">")) else { throw Failure(description: "not escaped: \(text)") }
        for part in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropFirst() {
            guard ["amp;", "lt;", "gt;", "quot;", "#39;"].contains(where: { part.starts(with: $0.utf8) }) else {
                throw Failure(description: "no entity: \(text)")
            }
        }
    }

    private static func tag(_ inside: String) throws -> Tag {
        guard let match = inside.wholeMatch(of: /([a-z0-9]+)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)\/?/) else {
            throw Failure(description: "no tag: <\(inside)>")
        }
        guard names.contains(String(match.1)) else { throw Failure(description: "not one of ours: <\(inside)>") }
        var attributes: [String: String] = [:]
        for attribute in String(match.2).matches(of: /\ ([a-zA-Z-]+)(?:="([^"<>]*)")?/) {
            let name = String(attribute.1)
            guard Self.attributes.contains(name), attributes[name] == nil else {
                throw Failure(description: "attribute \(name) in <\(inside)>")
            }
            attributes[name] = attribute.2.map(String.init) ?? ""
        }
        return Tag(name: String(match.1), attributes: attributes)
    }
}
