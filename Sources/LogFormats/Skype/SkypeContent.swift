import Bytes

/// The content of a Skype message: fragments of HTML, with elements of Skype's own.
struct SkypeContent {
    /// The text without marks: the address behind a link's words, if they differ.
    private(set) var text = ""
    /// The lines of a quoted message, each with `> ` before it.
    private(set) var quote: [String] = []
    /// The name of a file.
    private(set) var fileName: String?
    /// Skype's id of a file, which begins the file's name in the folder `media`.
    private(set) var fileID: String?
    /// Skype's id of the quoted message.
    private(set) var quoted: String?
    /// The texts of elements by their names in small letters, such as `initiator` and `target`; at most ``maximumParts``.
    private(set) var parts: [(name: String, text: String)] = []
    /// The time of the first text of an edited message, in milliseconds; nil for a message that was not edited.
    private(set) var originalTime: Int64?
    /// The people of `<c s="bob" f="Bob"/>`, and the place of a location.
    private(set) var lines: [String] = []

    /// More people than Skype allowed in a conversation (600).
    private static let maximumParts = 2000

    init(_ content: String) {
        var scanner = HTMLScanner(Array(content.utf8)[...])
        var open: [(name: String, start: Int)] = []
        var address: String?
        var (isQuote, isHidden) = (false, false)
        var quotedText = ""
        while let token = scanner.next() {
            switch token {
            case .text(let bytes):
                let words = HTMLText(bytes).string
                if isHidden { continue }
                if isQuote { quotedText += words } else { text += words }
                if let last = open.last, parts.count < Self.maximumParts, !last.name.isEmpty {
                    parts.append((last.name, words))
                }
            case .opening(let tag):
                let name = String(decoding: tag.name, as: UTF8.self).lowercased()
                read(tag, name)
                if name == "quote" { isQuote = true }
                if name == "legacyquote" { isHidden = true }
                if name == "a" { address = tag.attribute("href") }
                if !tag.isVoid, open.count < 64 { open.append((name, text.utf8.count)) }
            case .closing(let bytes):
                let name = String(decoding: bytes, as: UTF8.self).lowercased()
                if name == "quote" { isQuote = false }
                if name == "legacyquote" { isHidden = false }
                guard let index = open.lastIndex(where: { $0.name == name }) else { continue }
                if name == "a", let link = address, !isQuote {
                    let words = String(decoding: text.utf8.dropFirst(open[index].start), as: UTF8.self)
                    if !link.isEmpty, !words.isEmpty, words != link, !link.hasSuffix(words) { text += " (\(link))" }
                    address = nil
                }
                open.removeSubrange(index...)
            }
        }
        quote = quotedText.split(separator: "\n").map { "> \($0)" }
        if originalTime != nil, text.hasPrefix(Self.editPrefix) { text.removeFirst(Self.editPrefix.count) }
    }

    /// The words that old versions write before an edited text.
    private static let editPrefix = "Edited previous message: "

    private mutating func read(_ tag: HTMLTag, _ name: String) {
        switch name {
        case "e_m": originalTime = tag.attribute("ts_ms").flatMap(Int64.init) ?? originalTime
        case "quote": quoted = ExportText.name(tag.attribute("messageid"))
        case "originalname": fileName = tag.attribute("v") ?? fileName
        case "meta": fileName = fileName ?? tag.attribute("originalName")
        case "uriobject": fileID = ExportText.name(tag.attribute("doc_id"))
        case "part": if let identity = tag.attribute("identity") { parts.append(("identity", identity)) }
        case "c":
            let names = [tag.attribute("f"), tag.attribute("s"), tag.attribute("p")].compactMap(\.self)
            if !names.isEmpty, lines.count < Self.maximumParts { lines.append(names.joined(separator: " ")) }
        case "location":
            let place = [tag.attribute("address"), tag.attribute("latitude"), tag.attribute("longitude")]
            lines.append(place.compactMap(\.self).joined(separator: " "))
        case "partlist": if let type = tag.attribute("type") { parts.append(("type", type)) }
        default: break
        }
    }

    /// Returns the texts of all elements of a name.
    func texts(_ name: String) -> [String] { parts.filter { $0.name == name }.map { $0.text.trimmedOfBlanks } }
}
