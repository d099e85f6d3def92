/// Counts messages with invalid UTF-8, and their files.
struct UndecodedTexts: Sendable {
    private(set) var messages = 0
    private(set) var files = 0
    /// The first files, with the number of their messages.
    private(set) var examples: [(file: String, messages: Int)] = []
    /// The file of the last message.
    private var last: String?

    /// The limit of files that are named.
    private static let shownCount = 3

    /// Counts a message. The messages of a file must come together.
    mutating func count(in file: String) {
        messages += 1
        if last != file {
            (files, last) = (files + 1, file)
            if files <= Self.shownCount { examples.append((file, 0)) }
        }
        if files <= Self.shownCount { examples[files - 1].messages += 1 }
    }

    /// Adds the counts of another source.
    mutating func add(_ other: UndecodedTexts) {
        messages += other.messages
        files += other.files
        examples += other.examples.prefix(Self.shownCount - examples.count)
    }
}
