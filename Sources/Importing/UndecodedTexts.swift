/// Messages with bytes that are not UTF-8, and the files that have some.
struct UndecodedTexts: Sendable {
    private(set) var messages = 0
    private(set) var files = 0
    /// The first of the files, and how many messages each has.
    private(set) var examples: [(file: String, messages: Int)] = []
    /// The file that had the last one.
    private var last: String?

    /// Files that are listed: a screen's worth.
    private static let shownCount = 20

    /// Counts a message, after those of other files.
    mutating func count(in file: String) {
        messages += 1
        if last != file {
            (files, last) = (files + 1, file)
            if files <= Self.shownCount { examples.append((file, 0)) }
        }
        if files <= Self.shownCount { examples[files - 1].messages += 1 }
    }

    /// Adds those of another source.
    mutating func add(_ other: UndecodedTexts) {
        messages += other.messages
        files += other.files
        examples += other.examples.prefix(Self.shownCount - examples.count)
    }
}
