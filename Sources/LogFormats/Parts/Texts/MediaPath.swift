/// The path of a file in an export that has it in place of a message's text: `media/images/0a0b.jpg`.
enum MediaPath {
    /// The longest ending, as of `.jpeg`.
    private static let maximumEnding = 5

    /// Returns the path, with `/` between folders; nil for a text that is not one.
    static func path(_ text: String) -> String? {
        guard text.utf8.count <= ExportText.maximumName, !text.contains("\n"), !text.contains("://"),
            !text.hasPrefix("["), !text.hasPrefix("/")
        else { return nil }
        let path = text.replacing("\\", with: "/")
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, let name = parts.last, let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            return nil
        }
        let ending = name[name.index(after: dot)...].utf8
        let isEnding = (1...maximumEnding).contains(ending.count) && ending.allSatisfy { $0 < 0x80 && $0 > 0x2F }
        return isEnding ? path : nil
    }
}
