import Foundation

@testable import Rendering

/// Reads a page as strictly as can be: each `<` begins a tag that this program writes, each `&` one of its five entities,
/// each element is closed where it should be.
struct StrictHTML {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Tag: Hashable {
        var name: String
        var attributes: [String: String]
    }

    private(set) var tags: [Tag] = []
    /// Without tags, entities read, as a person sees it.
    private(set) var text = ""

    private static let names: Set<String> = [
        "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "nav", "section", "h1", "h2", "p",
        "a",
        "time", "ol", "ul", "li", "div", "span", "b", "i", "bdi", "em", "del", "small", "details", "summary",
        "img", "video", "audio", "figure", "figcaption",
    ]
    private static let withoutEnd: Set<String> = ["meta", "img"]
    private static let attributeNames: Set<String> = [
        "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "rel", "dir", "datetime", "title",
        "role",
        "aria-label", "aria-labelledby", "tabindex", "src", "alt", "loading", "decoding", "preload",
    ]
    private static let entities = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'"]

    init(_ page: String) throws {
        let start = "<!DOCTYPE html>\n"
        guard page.utf8.starts(with: start.utf8) else { throw Failure(description: "no doctype") }
        let style = "<style>\(HTMLStyle.sheet)</style>"
        let parts = page.components(separatedBy: style)
        guard parts.count == 2 else { throw Failure(description: "\(parts.count - 1) style sheets") }
        // Only a page with files has the style of pictures.
        let end = parts[1].replacing("<style>\(HTMLStyle.media)</style>", with: "<style></style>", maxReplacements: 1)
        var rest = Array((parts[0] + "<style></style>" + end).utf8.dropFirst(start.utf8.count))[...]
        var open: [String] = []
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else {
                text += try Self.plain(rest.prefix { $0 != UInt8(ascii: "<") })
                rest = rest.drop { $0 != UInt8(ascii: "<") }
                continue
            }
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
                throw Failure(description: "no end of a tag")
            }
            let inside = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            if inside.utf8.first == UInt8(ascii: "/") {
                let name = String(inside.dropFirst())
                guard open.popLast() == name else { throw Failure(description: "</\(name)> closes nothing") }
            } else {
                let tag = try Self.tag(inside)
                tags.append(tag)
                if !Self.withoutEnd.contains(tag.name) { open.append(tag.name) }
            }
        }
        guard open.isEmpty else { throw Failure(description: "left open: \(open)") }
    }

    private static func plain(_ bytes: ArraySlice<UInt8>) throws -> String {
        guard !bytes.contains(where: { ">\"'".utf8.contains($0) }) else {
            throw Failure(description: "not escaped: \(String(decoding: bytes, as: UTF8.self))")
        }
        var parts = String(decoding: bytes, as: UTF8.self).utf8.split(
            separator: UInt8(ascii: "&"), omittingEmptySubsequences: false
        )
        .map { String(Substring($0)) }
        var text = parts.removeFirst()
        for part in parts {
            guard let entity = entities.first(where: { "&\(part)".utf8.starts(with: $0.key.utf8) }) else {
                throw Failure(description: "no entity: &\(part)")
            }
            text += entity.value + String(decoding: part.utf8.dropFirst(entity.key.utf8.count - 1), as: UTF8.self)
        }
        return text
    }

    private static func tag(_ inside: String) throws -> Tag {
        // A browser reads code points: a combining one is not part of the quote before it.
        let form = /([a-z0-9]+)(?: controls)?((?: [a-z-]+="[^"<>]*")*)/.matchingSemantics(.unicodeScalar)
        guard let match = inside.wholeMatch(of: form) else {
            throw Failure(description: "no tag: <\(inside)>")
        }
        guard names.contains(String(match.1)) else { throw Failure(description: "not one of ours: <\(inside)>") }
        var attributes: [String: String] = [:]
        let attributeForm = /\ ([a-z-]+)="([^"<>]*)"/.matchingSemantics(.unicodeScalar)
        for attribute in String(match.2).matches(of: attributeForm) {
            let (name, value) = (String(attribute.1), String(attribute.2))
            guard attributeNames.contains(name), attributes[name] == nil else {
                throw Failure(description: "<\(inside)>")
            }
            // The policy has quotes of its own.
            attributes[name] = name == "content" ? value : try plain(Array(value.utf8)[...])
        }
        return Tag(name: String(match.1), attributes: attributes)
    }
}
