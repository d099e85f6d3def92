import Rendering

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

    /// The number of files, and the first of them with the numbers of their messages: `2 files: a.log (3), b.log (1)`.
    var list: String {
        let more = files > examples.count ? " and \((files - examples.count).of("more file"))" : ""
        return files.of("file") + ": " + examples.map { "\($0.file) (\($0.messages.grouped))" }.joined(separator: ", ")
            + more
    }

    /// Adds the counts of another source.
    mutating func add(_ other: UndecodedTexts) {
        messages += other.messages
        files += other.files
        examples += other.examples.prefix(Self.shownCount - examples.count)
    }
}
