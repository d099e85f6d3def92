/// A text in Slack's mrkdwn as plain text: `<@U7>` becomes `@alice`, `<#C7|example>` `#example`,
/// `<https://example.org|this>` `this (https://example.org)` and `&lt;` `<`. Marks such as `*` stay.
struct SlackText {
    let string: String

    /// - Parameters:
    ///   - limit: The number of bytes after which the rest is left out. A mention of four bytes may become a name of
    ///     1,024.
    ///   - user: Returns the name of a user id.
    ///   - room: Returns the name of a channel id.
    init(_ text: String, limit: Int, user: (String) -> String?, room: (String) -> String?) {
        var string = ""
        var rest = text[...]
        while string.utf8.count <= limit, let start = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
            string += Self.unescaped(rest[..<start])
            let inside = rest[rest.utf8.index(after: start)...]
            guard let end = inside.utf8.firstIndex(of: UInt8(ascii: ">")) else {
                rest = rest[start...]
                break
            }
            string += Self.link(inside[..<end], user: user, room: room)
            rest = inside[inside.utf8.index(after: end)...]
        }
        self.string = string.utf8.count > limit ? string : string + Self.unescaped(rest)
    }

    private static func link(
        _ link: Substring, user: (String) -> String?, room: (String) -> String?
    ) -> String {
        let parts = link.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts.first ?? ""
        let label = parts.count > 1 && !parts[1].isEmpty ? unescaped(parts[1]) : nil
        let id = String(target.dropFirst())
        switch target.first {
        case "@": return "@" + (user(id) ?? label ?? id)
        case "#": return "#" + (label ?? room(id) ?? id)
        // `<!here>`, `<!subteam^S7|@team>`, `<!date^1700000000^{date}|November>`.
        case "!": return label ?? "@" + (id.split(separator: "^").last.map(String.init) ?? id)
        default: return web(unescaped(target), label: label)
        }
    }

    /// Returns only the address if the label adds no information.
    private static func web(_ address: String, label: String?) -> String {
        guard let label else { return address }
        if ["mailto:\(label)", "tel:\(label)"].contains(address) { return label }
        let isSame = [label, "http://\(label)", "https://\(label)", "http://\(label)/", "https://\(label)/"]
            .contains(address)
        return isSame ? address : "\(label) (\(address))"
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        return String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}
