import Bytes

/// The text of a message in signal-export's `chat.md`, without what the program adds: the files' links, a line of
/// reactions, and two spaces at the end.
struct SignalExportText {
    var text: ArraySlice<UInt8>
    /// The paths of the files in the chat's folder.
    private(set) var files: [String] = []
    private(set) var reactions = 0

    /// More than Signal allows in a message (32).
    private static let maximumFiles = 100

    init(_ bytes: ArraySlice<UInt8>) {
        text = bytes.trimmedOfLines
        while files.count < Self.maximumFiles, let (path, rest) = Self.lastFile(in: text) {
            files.insert(path, at: 0)
            text = rest.trimmedOfLines
        }
        // A line of reactions: (- bob: 👍, carol: 👎 -)
        if let start = text.lastRange(of: "(- ")?.lowerBound, text.suffix(3).elementsEqual(" -)".utf8),
            start == text.startIndex || text[start - 1] == Byte.lineFeed, !text[start...].contains(Byte.lineFeed)
        {
            reactions = text[start...].split(separator: Byte.comma).count
            text = text[..<start].trimmedOfLines
        }
    }

    /// Returns the path in `![a.png](./media/a.png)` at the end of a text, and the text before it.
    private static func lastFile(in text: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>)? {
        guard text.last == UInt8(ascii: ")"), let middle = text.lastRange(of: "](./media/"),
            let start = text[..<middle.lowerBound].lastIndex(of: Byte.listStart)
        else { return nil }
        let path = text[(middle.lowerBound + "](./".utf8.count)..<(text.endIndex - 1)]
        guard !path.contains(Byte.lineFeed) else { return nil }
        let before = text[..<start]
        return (
            Self.path(String(decoding: path, as: UTF8.self)), before.last == Byte.bang ? before.dropLast() : before
        )
    }

    /// Returns the path of a file, in which the program writes `%20` for each space.
    static func path(_ path: String) -> String { path.replacing("%20", with: " ").withoutNUL }
}

extension ArraySlice<UInt8> {
    /// The bytes without the spaces and line feeds around them.
    fileprivate var trimmedOfLines: ArraySlice<UInt8> {
        var rest = drop { $0 == Byte.space || $0 == Byte.lineFeed }
        while let last = rest.last, last == Byte.space || last == Byte.lineFeed { rest.removeLast() }
        return rest
    }
}
