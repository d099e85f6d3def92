import ChatModel

/// The text of a `rich_message`, which Telegram Desktop 7 writes in the place of `text`: blocks such as headings,
/// paragraphs, lists and quotes, with marked-up texts within each other.
///
/// Reads texts wherever they are, so that a block of a new kind keeps the text that it has. The keys are those of
/// Telegram Desktop's exports, and of Telegram's Bot API 10.1, which has the same blocks.
struct TelegramRichMessage {
    private(set) var lines: [String] = []
    /// The kinds of the parts without a text that is known.
    private(set) var unknownKinds: [String] = []

    /// The limit of blocks and texts within each other. A person can't write 16 levels.
    private static let maximumDepth = 64

    private static var tooDeep: UnreadablePiece { UnreadablePiece("its \"rich_message\" is nested too deeply") }

    /// The kinds that have no text.
    private static let silent: Set<String> = ["empty", "divider", "anchor"]

    /// - Throws: ``UnreadablePiece`` if the blocks are nested too deeply.
    init(_ message: JSONValue) throws(UnreadablePiece) {
        try readBlocks(Self.parts(message["blocks"]), depth: 0)
    }

    private mutating func readBlocks(_ blocks: [JSONValue], mark: String = "", depth: Int) throws(UnreadablePiece) {
        for block in blocks { try readBlock(block, mark: mark, depth: depth) }
    }

    private mutating func readBlock(_ block: JSONValue, mark: String, depth: Int) throws(UnreadablePiece) {
        guard depth < Self.maximumDepth else { throw Self.tooDeep }
        let first = lines.count
        for key in ["title", "summary", "text", "expression"] as [StaticString] { try readLine(block[key], depth + 1) }
        for row in Self.parts(block["rows"] ?? block["cells"]) {
            let cells = try Self.parts(row.isList ? row : row["cells"]).map { cell throws(UnreadablePiece) in
                try string(cell["text"] ?? cell, depth + 1)
            }
            lines.append(cells.joined(separator: " | "))
        }
        for item in Self.parts(block["items"]) { try readBlock(item, mark: Self.mark(of: item), depth: depth + 1) }
        try readBlocks(Self.parts(block["blocks"]), depth: depth + 1)
        for line in [block["caption"], block["caption"]?["credit"], block["credit"]] { try readLine(line, depth + 1) }
        guard lines.count == first else {
            if !mark.isEmpty { lines[first] = mark + lines[first] }
            return
        }
        if let kind = block["type"]?.text, !Self.silent.contains(kind) { note(kind) }
    }

    private mutating func readLine(_ text: JSONValue?, _ depth: Int) throws(UnreadablePiece) {
        let line = try string(text, depth)
        if !line.isEmpty { lines.append(line) }
    }

    /// Returns the characters before an item of a list.
    private static func mark(of item: JSONValue) -> String {
        switch item["task_state"]?.text {
        case "checked": "[x] "
        case "unchecked": "[ ] "
        default: "- "
        }
    }

    /// Returns the text of a string, of a list of texts, or of an object that marks a text.
    private mutating func string(_ value: JSONValue?, _ depth: Int) throws(UnreadablePiece) -> String {
        guard let value else { return "" }
        if let plain = value.text { return plain }
        guard depth < Self.maximumDepth else { throw Self.tooDeep }
        if value.isList {
            var string = ""
            for part in Self.parts(value) { string += try self.string(part, depth + 1) }
            return string
        }
        guard let inner = value["text"] ?? value["expression"] else {
            if let kind = value["type"]?.text, !Self.silent.contains(kind) { note(kind) }
            return ""
        }
        let text = try string(inner, depth + 1)
        guard let address = (value["href"] ?? value["url"])?.text, !address.isEmpty, address != text else {
            return text
        }
        return "\(text) (\(address))"
    }

    private mutating func note(_ kind: String) {
        let name = UnknownKinds.name("rich_message \(kind)")
        if unknownKinds.count < 20, !unknownKinds.contains(name) { unknownKinds.append(name) }
    }

    private static func parts(_ list: JSONValue?) -> [JSONValue] { (try? list?.elements()) ?? [] }
}
