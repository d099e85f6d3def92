/// The content of a WhatsApp message: its text, its files, and flags for an edit and a deletion.
struct WhatsAppText {
    /// Nil for a file alone or a deleted message.
    private(set) var body: String?
    private(set) var files: [String] = []
    private(set) var isEdited = false
    private(set) var isDeleted = false

    /// True if only text was found.
    var isPlain: Bool { files.isEmpty && !isDeleted && !isEdited }

    init(plain text: String) {
        body = text.withoutMarkBefore
    }

    /// - Parameter text: The text of all its lines.
    init(_ text: String) {
        // The app puts a mark of direction before its own words.
        let isMarked = text.unicodeScalars.first.map(WhatsAppHeader.isMark) ?? false
        var text = text.withoutMarkBefore
        if text.hasSuffix(">"), let open = text.lastIndex(of: "<"),
            WhatsAppWords.edited.contains(WhatsAppWords.withoutStop(text[open...].dropFirst().dropLast()))
        {
            isEdited = true
            text.cut(at: open)
        }
        if Self.isDeleted(text) {
            isDeleted = true
            return
        }
        take(&text, isMarked: isMarked)
        body = text.isEmpty ? nil : text
    }

    private static func isDeleted(_ text: String) -> Bool {
        // The longest sentence has less than 200 bytes.
        guard text.utf8.count < 400 else { return false }
        let sentence = WhatsAppWords.withoutStop(text)
        return WhatsAppWords.deleted.contains(sentence)
            || sentence.hasPrefix("This message was deleted by admin ") && !sentence.utf8.contains(UInt8(ascii: "\n"))
    }

    private mutating func take(_ text: inout String, isMarked: Bool) {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        if let name = lines.first.flatMap({ Self.attachment($0, isMarked: isMarked) }) {
            files = [name]
            text = lines.count > 1 ? String(lines[1]) : ""
        } else if text.hasSuffix(">"), let open = text.lastIndex(of: "<") {
            takeFile(from: open, of: &text)
        }
    }

    /// Returns the file of `IMG-20261121-WA0001.jpg (file attached)`, as Android writes it. The caption is in the next
    /// line.
    private static func attachment(_ line: Substring, isMarked: Bool) -> String? {
        if line.hasSuffix(")"), let open = line.ranges(of: " (").last {
            let words = String(line[open.upperBound...].dropLast()).withoutMarks
            var name = String(line)
            name.cut(at: open.lowerBound)
            let isKnown = WhatsAppWords.attached.contains(words) || name.wholeMatch(of: fileName) != nil
            return isKnown || isMarked && words.count <= longestWords && hasEnding(name) ? name : nil
        }
        for (before, after) in WhatsAppWords.attachedAround where line.hasPrefix(before) && line.hasSuffix(after) {
            let name = String(line.dropFirst(before.count).dropLast(after.count)).withoutMarks
            if hasEnding(name) { return name }
        }
        return nil
    }

    /// Takes the file of `<attached: 00000012-PHOTO.jpg>` after its caption, as iPhones write it; `<00000012-PHOTO.jpg
    /// eklendi>` in Turkish. In 2015 only a word was in the brackets: `2015-08-04-PHOTO-00004762.jpg <attached>`.
    private mutating func takeFile(from open: String.Index, of text: inout String) {
        if let match = text[open...].wholeMatch(of: /<[^:：<>\n]{2,40}(?:: |：)([0-9]{8}-[^<>\n\/]+)>/) {
            files = [String(match.1).withoutMarks]
            text.cut(at: open)
        } else if let match = text[open...].wholeMatch(
            of: /<([0-9]{8}-[^<>\n\/]+\.[A-Za-z0-9]{1,5}) [^<>.\n]{2,40}>/)
        {
            files = [String(match.1)]
            text.cut(at: open)
        } else if let match = text.wholeMatch(
            of: /([0-9]{4}-[0-9]{2}-[0-9]{2}-[A-Z]{1,20}-[0-9]{8}\.[A-Za-z0-9]{1,5}) <[^:<>\n]{2,40}>/)
        {
            files = [String(match.1)]
            text = ""
        }
    }

    private static func hasEnding(_ name: String) -> Bool { name.wholeMatch(of: nameWithEnding) != nil }

    /// The longest words in brackets after a file, in characters.
    private static let longestWords = 40
    nonisolated(unsafe) private static let nameWithEnding = /[^\/\n]{1,250}\.[A-Za-z0-9]{1,5}/

    /// The names that the app gives to files that it sends, in every language.
    nonisolated(unsafe) private static let fileName =
        /(?:IMG|VID|AUD|PTT|STK|DOC|GIF)-[0-9]{8}-WA[0-9]{4,}\.[A-Za-z0-9]{1,5}/
}

extension String {
    /// The text without the direction marks at its beginning.
    fileprivate var withoutMarkBefore: String {
        String(unicodeScalars.drop { WhatsAppHeader.isMark($0) })
    }
    /// Removes the text from an index on, and the spaces and marks of direction before it.
    fileprivate mutating func cut(at index: Index) {
        var kept = unicodeScalars[..<index]
        while let last = kept.last, WhatsAppHeader.isMark(last) || last == " " || last == "\n" { kept.removeLast() }
        self = String(kept)
    }
}
