import ChatModel

/// A text as an export has it, as an archive can keep it: without U+0000, and cut where it is too long.
struct ExportText {
    /// Nil for an empty one.
    let string: String?
    let flags: MessageFlags

    /// 64 KiB, as of a message that a listener hears. The services allow 40,000 characters (Slack), 4,096 (Telegram) and
    /// 4,000 (Discord).
    static let maximumBody = 64 * 1024
    /// Names of people and rooms have 80 to 256 characters at most.
    static let maximumName = 1024

    /// - Parameter lines: The text's lines; those that are nil or empty are left out. Lines behind the limit are not asked
    ///   for, so that those of a lazy sequence are not made.
    init(lines: some Sequence<String?>, limit: Int = maximumBody) {
        let text = Self.joined(lines, limit: limit).withoutNUL
        flags = text.utf8.count > limit ? .oversize : []
        var end = text.utf8.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex
        while end.samePosition(in: text.unicodeScalars) == nil, end > text.startIndex {
            end = text.utf8.index(before: end)
        }
        string = text.isEmpty ? nil : String(text[..<end])
    }

    /// Joins lines until they are longer than the limit.
    private static func joined(_ lines: some Sequence<String?>, limit: Int) -> String {
        var text = ""
        for case let line? in lines where !line.isEmpty {
            text += (text.isEmpty ? "" : "\n") + line
            if text.utf8.count > limit { break }
        }
        return text
    }

    /// The first of these that is not empty.
    static func name(_ names: String?...) -> String? {
        names.lazy.compactMap { ExportText(lines: [$0], limit: maximumName).string }.first
    }
}

/// What an export does not tell, counted.
struct ExportGaps: Hashable {
    /// Reactions of which only the number is told.
    private(set) var reactions = 0
    /// Files that are not in the export, and have no address either.
    private(set) var files = 0
    /// Times without their zone.
    private(set) var times = 0

    mutating func count(reactions count: Int64?, told: Int) {
        guard let count, count > told else { return }
        reactions = reactions.addingReportingOverflow(Int(clamping: count) - told).partialValue
    }

    mutating func countFile() { files += 1 }
    mutating func countTime() { times += 1 }

    func assumptions(zone: String) -> [String] {
        [
            times > 0 ? "times without a zone, taken for those of \(zone): \(times)" : nil,
            reactions > 0 ? "reactions left out, as the export does not tell whose they are: \(reactions)" : nil,
            files > 0
                ? "files kept by name only, as the export neither has them nor tells where they are: \(files)" : nil,
        ].compactMap { $0 }
    }
}
