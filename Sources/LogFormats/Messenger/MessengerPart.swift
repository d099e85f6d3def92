import Bytes
import ChatModel

/// The facts in a block of a page of Meta's downloads: a message, or something about the conversation, which has no time.
///
/// The parts of a block are known by their classes, those of 2018 to 2021 and those since 2022.
struct MessengerPart {
    private(set) var sender = ""
    /// False for a block without the element of the sender, who is that of the block above.
    private(set) var hasHeading = false
    /// Nil for a block without a whole time.
    private(set) var time: String?
    /// The lines of the text, without empty ones at its ends.
    private(set) var lines: [String] = []
    /// The paths of files in the download.
    private(set) var files: [String] = []
    /// The number of reactions.
    private(set) var reactions = 0
    let flags: MessageFlags

    /// Classes of these pages, one of which their styles or their first blocks have.
    static let marks = ["_a6-g", "_a6-h", "_2lek", "_3-95", "uiBoxWhite"]

    private enum Place { case other, sender, content, time, reactions }

    private var place = Place.other
    /// The line that is being read.
    private var line = ""
    private var link: String?
    /// The number of bytes of the line before the words of the link.
    private var linkStart = 0
    /// True in a video or a sound, whose content is for browsers that can't play it, and in the link to a file.
    private var (isInPlayer, isInFile) = (false, false)

    /// More files and lines than a message has.
    private static let (maximumFiles, maximumLines) = (500, 20_000)

    init(_ bytes: ArraySlice<UInt8>) {
        flags = LogText(bytes).flags
        var scanner = HTMLScanner(bytes)
        while let token = scanner.next() {
            switch token {
            case .opening(let tag): open(tag)
            case .closing(let name): close(String(decoding: name, as: UTF8.self))
            case .text(let text): add(Self.joined(HTMLText(text).string))
            }
        }
        if place == .content { endLine() }
        while lines.last?.isEmpty ?? false { lines.removeLast() }
    }

    // MARK: - Elements

    private mutating func open(_ tag: HTMLTag) {
        let classes = tag.classes
        if classes.contains("_a6-o") || classes.contains("_2lem") {
            endLine()
            place = .time
        } else if classes.contains("_a6-h") || classes.contains("_2lel") {
            if !hasHeading { (place, hasHeading) = (.sender, true) }
        } else if classes.contains("_a6-p") || classes.contains("_2let") {
            place = .content
        } else if place == .content || place == .reactions {
            openInContent(tag, classes)
        }
    }

    private mutating func openInContent(_ tag: HTMLTag, _ classes: [Substring]) {
        switch String(decoding: tag.name, as: UTF8.self) {
        case "ul" where classes.contains("_a6-q") || classes.contains("_tqp"):
            endLine()
            place = .reactions
        case "li": if place == .reactions { reactions += 1 }
        case "br": endLine(keepsEmpty: true)
        case "div", "p", "tr": endLine()
        case "a": openLink(tag.attribute("href") ?? "")
        case "img": addPicture(tag)
        case "video", "audio":
            addFile(tag.attribute("src") ?? "")
            isInPlayer = !tag.isVoid
        default: break
        }
    }

    private mutating func close(_ name: String) {
        switch place {
        case .sender: if name == "h2" || name == "div" { place = .other }
        case .time: if name == "div" || name == "footer" { (place, time, line) = (.other, time ?? line, "") }
        case .reactions: if name == "ul" { place = .content }
        case .content:
            if name == "video" || name == "audio" { isInPlayer = false }
            if name == "a" { closeLink() }
            if name == "div" || name == "p" { endLine() }
        case .other: break
        }
    }

    private mutating func add(_ text: String) {
        switch place {
        case .sender: sender += text
        case .content: if !isInPlayer, !isInFile, !isFull { line += text }
        case .time: line += text
        case .reactions, .other: break
        }
    }

    /// Returns a text with each run of white space that has a line end as one space, because lines are elements.
    private static func joined(_ text: String) -> String {
        guard text.utf8.contains(Byte.lineFeed) else { return text }
        let parts = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        return parts.map { String($0).trimmedOfBlanks }.joined(separator: " ")
    }

    // MARK: - Content

    /// True if the line is longer than a message may be.
    private var isFull: Bool { line.utf8.count > ExportText.maximumBody }

    /// - Parameter keepsEmpty: True at a break, which a person wrote.
    private mutating func endLine(keepsEmpty: Bool = false) {
        let text = line.trimmedOfBlanks
        (line, linkStart) = ("", 0)
        // Some downloads have the address of the sender's machine behind the text.
        guard !text.isEmpty || keepsEmpty && !lines.isEmpty, !text.hasPrefix("IP Address: ") || lines.isEmpty,
            lines.count < Self.maximumLines
        else { return }
        lines.append(text)
    }

    private static func isAddress(_ path: String) -> Bool { path.contains("://") || path.hasPrefix("mailto:") }

    private mutating func openLink(_ address: String) {
        isInFile = !Self.isAddress(address)
        if isInFile { addFile(address) } else { (link, linkStart) = (address, line.utf8.count) }
    }

    /// The limit of bytes in which an address and words are looked for in each other. Browsers limit addresses to 2,048.
    private static let maximumCompared = 2048

    /// Adds the address of a link to its words, unless it is in them. Compares only the words of the link, because a line
    /// may have thousands of links.
    private mutating func closeLink() {
        defer { (link, isInFile) = (nil, false) }
        guard let link, !isInPlayer, !isFull else { return }
        let start = line.utf8.index(line.startIndex, offsetBy: min(linkStart, line.utf8.count))
        let words = String(line[start...]).trimmedOfBlanks
        if words.isEmpty { return line += link }
        if max(words.utf8.count, link.utf8.count) <= Self.maximumCompared {
            if words.contains(link) { return }
            if link.contains(words) {
                line.removeSubrange(start...)
                return line += link
            }
        }
        while line.last?.isWhitespace ?? false { line.removeLast() }
        line += " (\(link))"
    }

    /// Adds a picture. One at an address is a sign in the text, whose words say it.
    private mutating func addPicture(_ tag: HTMLTag) {
        let path = tag.attribute("src") ?? ""
        if Self.isAddress(path) { line += tag.attribute("alt") ?? "" } else { addFile(path) }
    }

    private mutating func addFile(_ path: String) {
        let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        guard !path.isEmpty, !path.hasPrefix("#"), !path.hasPrefix("data:"), files.count < Self.maximumFiles,
            let name = ExportText.name(path), !files.contains(name)
        else { return }
        files.append(name)
    }

    // MARK: - Head

    /// Returns the conversation's name: the page's title, else its heading.
    static func title(in head: ArraySlice<UInt8>) -> String? {
        let title = head.parted(by: "<title>")?.right.parted(by: "</title>")?.left
        let heading = head.parted(by: "<h1")?.right.parted(by: ">")?.right.parted(by: "</h1>")?.left
        let names = [title, heading].map { $0.map { MarkupText($0).string.trimmedOfBlanks } }
        return ExportText.name(names[0], names[1])
    }
}
