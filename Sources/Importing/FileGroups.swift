import Rendering

/// Files that are not imported, counted by reason, with the first of each.
///
/// Takes constant memory: an import may skip a million files.
struct FileGroups: Sendable {
    struct Group: Sendable, Hashable {
        let reason: String
        /// Advice; nil if there is none.
        let hint: String?
        /// The name of the error's code; nil for files that are only skipped.
        let code: String?
        var count = 0
        /// The first files of different names, for people.
        var first: [String] = []

        /// The first files and the number of the others, repeated ones included: `a.txt, b.txt, c.txt and 104 more`.
        var files: String {
            let more = count - first.count
            return first.joined(separator: ", ") + (more > 0 ? " and \(more.grouped) more" : "")
        }
    }

    /// The limit of files that are named for a reason.
    private static let namedFiles = 3
    /// The limit of reasons: a screenful. Hostile files may have a reason each.
    private static let maximumReasons = 20

    private(set) var groups: [Group] = []
    /// The number of all files.
    private(set) var count = 0
    /// The number of files whose reasons are beyond ``maximumReasons``.
    private(set) var others = 0

    mutating func add(_ file: String, reason: String, hint: String? = nil, code: String? = nil) {
        count += 1
        guard let index = index(of: reason, hint, code) else {
            others += 1
            return
        }
        groups[index].count += 1
        guard groups[index].first.count < Self.namedFiles, !groups[index].first.contains(file) else { return }
        groups[index].first.append(file)
    }

    private mutating func index(of reason: String, _ hint: String?, _ code: String?) -> Int? {
        if let index = groups.firstIndex(where: { $0.reason == reason && $0.code == code }) { return index }
        guard groups.count < Self.maximumReasons else { return nil }
        groups.append(Group(reason: reason, hint: hint, code: code))
        return groups.count - 1
    }

    /// Returns the lines for people, one for each reason.
    var text: String {
        groups.map { $0.text + "\n" }.joined() + (others > 0 ? "\(others.of("more file")) with other reasons\n" : "")
    }
}

extension FileGroups.Group {
    /// A line such as `107 files skipped (unrecognised format): a.txt, b.txt, c.txt and 104 more`, or such as
    /// `scrollback: logs.zip: encrypted; unpack the archive first [input]`.
    var text: String {
        let advice = hint.map { "; \($0)" } ?? ""
        guard let code else { return "\(count.of("file")) skipped (\(reason)): \(files)\(advice)" }
        if count == 1 { return "scrollback: \(files): \(reason)\(advice) [\(code)]" }
        return "scrollback: \(count.of("file")): \(reason): \(files)\(advice) [\(code)]"
    }
}
