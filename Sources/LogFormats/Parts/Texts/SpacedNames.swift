import Bytes

/// Finds the name at the beginning of an action, where no mark ends it: `alice waves`, `Alice Brown waves`.
struct SpacedNames: Sendable {
    /// The names with spaces of people who wrote messages, the longest first.
    private let names: [String]

    /// The limit of names that are kept.
    private static let maximum = 1000

    /// - Parameter senders: The names of the senders at a log's beginning.
    init(_ senders: some Sequence<ArraySlice<UInt8>>) {
        var found: Set<String> = []
        for sender in senders where sender.contains(Byte.space) {
            found.insert(LogText(sender).string)
            if found.count == Self.maximum { break }
        }
        names = found.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// Returns a known name with spaces, or the first word.
    func name(beginning text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for name in names where text.starts(with: name.utf8) {
            let rest = text.dropFirst(name.utf8.count)
            if rest.isEmpty || rest.first == Byte.space { return text[..<rest.startIndex] }
        }
        return text.prefix { $0 != Byte.space }
    }
}
