import Bytes

/// The text of a message of imessage-exporter, without the lines that the program adds.
struct IMessageExporterText {
    let text: ArraySlice<UInt8>
    /// The paths of attachments.
    let files: [String]
    /// The number of reactions below the text.
    let tapbacks: Int
    /// True if the message has no text, because its sender took it back.
    let isUnsent: Bool

    private static let titles = ["Tapbacks:", "Reactions:"]
    private static let answer = "This message responded to an earlier message."

    init(_ bytes: ArraySlice<UInt8>) {
        var lines = bytes.split(separator: Byte.lineFeed, omittingEmptySubsequences: false)
        let title = lines.lastIndex { line in Self.titles.contains { line.elementsEqual($0.utf8) } }
        if let title, lines[(title + 1)...].allSatisfy({ $0.isBlank || $0.starts(with: "    ") }) {
            tapbacks = lines[(title + 1)...].count { !$0.isBlank }
            lines = Array(lines[..<title])
        } else {
            tapbacks = 0
        }
        lines.removeAll { $0.elementsEqual(Self.answer.utf8) }
        files = lines.filter(Self.isFile).map { String(decoding: $0, as: UTF8.self).withoutNUL }
        lines.removeAll(where: Self.isFile)
        isUnsent = lines.count { !$0.isBlank } == 1 && lines.contains { $0.range(of: " unsent this message") != nil }
        let rest = Array(lines.joined(separator: [Byte.lineFeed]))[...]
        var end = rest
        while let last = end.last, last == Byte.lineFeed || last == Byte.space { end.removeLast() }
        text = isUnsent ? [] : end
    }

    /// Returns true for `attachments/1/2.jpeg`, and for a path in the folder of Messages.
    private static func isFile(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: "attachments/") || line.first == Byte.slash && line.range(of: "/Attachments/") != nil
    }
}
