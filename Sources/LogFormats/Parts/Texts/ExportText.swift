import Bytes
import ChatModel

/// A text of an export in the form that an archive keeps: without U+0000, and cut when it is too long.
struct ExportText {
    /// The text; nil if it is empty.
    let string: String?
    let flags: MessageFlags

    /// 64 KiB, the limit of a message that a listener receives. The services allow 40,000 characters (Slack), 4,096
    /// (Telegram) and 4,000 (Discord).
    static let maximumBody = 64 * 1024
    /// 1 KiB. The services allow names of 80 to 256 characters.
    static let maximumName = 1024

    /// - Parameter lines: The text's lines; nil and empty ones are left out. A lazy sequence computes no lines beyond
    ///   the limit.
    init(lines: some Sequence<String?>, limit: Int = maximumBody) {
        let text = Self.joined(lines, limit: limit).withoutNUL
        guard text.utf8.count > limit else {
            (string, flags) = (text.isEmpty ? nil : text, [])
            return
        }
        flags = .oversize
        var end = text.utf8.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex
        while end.samePosition(in: text.unicodeScalars) == nil, end > text.startIndex {
            end = text.utf8.index(before: end)
        }
        string = String(text[..<end])
    }

    /// Joins lines until they exceed the limit.
    private static func joined(_ lines: some Sequence<String?>, limit: Int) -> String {
        var text = ""
        for case let line? in lines where !line.isEmpty {
            text += (text.isEmpty ? "" : "\n") + line
            if text.utf8.count > limit { break }
        }
        return text
    }

    /// Returns the first name that isn't empty, cut at ``maximumName``.
    static func name(_ names: String?...) -> String? {
        names.lazy.compactMap { ExportText(lines: [$0], limit: maximumName).string }.first
    }
}

/// The counts of facts that an export lacks.
struct ExportOmissions: Hashable {
    /// Reactions without the name of the user.
    private(set) var reactions = 0
    /// Files that the export neither contains nor gives an address for.
    private(set) var files = 0
    /// Times without a zone.
    private(set) var times = 0
    /// The messages whose content is of unknown kinds.
    private(set) var kinds = UnknownKinds()

    mutating func count(reactions count: Int64?, named namedCount: Int) {
        guard let count, count > namedCount else { return }
        reactions = reactions.addingReportingOverflow(Int(clamping: count) - namedCount).partialValue
    }

    mutating func countFile() { files += 1 }
    mutating func countTime() { times += 1 }
    mutating func count(kind name: String) { kinds.count(name) }

    func assumptions(zone: String) -> [String] {
        [
            times > 0 ? "times without a zone, read as \(zone): \(times)" : nil,
            reactions > 0 ? "reactions skipped, because the export does not say whose they are: \(reactions)" : nil,
            files > 0
                ? "files kept by name only, because the export has neither the file nor its address: \(files)" : nil,
        ].compactMap { $0 }
    }
}
