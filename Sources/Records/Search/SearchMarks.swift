package import ChatModel

/// The properties of a message that a search finds by `has:` and `is:`, without links and topics, which the body and the
/// kind show.
package struct SearchMarks: OptionSet, Sendable, Hashable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The standard library's own takes longer, as that of ``MessageFlags``.
    package init(arrayLiteral marks: SearchMarks...) {
        rawValue = marks.reduce(0) { $0 | $1.rawValue }
    }

    static let edited = SearchMarks(rawValue: 1)
    static let deleted = SearchMarks(rawValue: 2)
    /// A file of any kind.
    static let file = SearchMarks(rawValue: 4)
    static let image = SearchMarks(rawValue: 8)
    static let video = SearchMarks(rawValue: 16)
    static let audio = SearchMarks(rawValue: 32)
    static let reaction = SearchMarks(rawValue: 64)
    static let reply = SearchMarks(rawValue: 128)
    static let pinned = SearchMarks(rawValue: 256)

    /// The analyser from which on indices have all marks. Earlier ones have ``edited``, ``deleted`` and ``file``.
    package static let firstAnalyser = 4

    package init(isEdited: Bool, isDeleted: Bool, flags: MessageFlags, isReply: Bool, files: SearchMarks) {
        rawValue = files.rawValue
        if isEdited { formUnion(.edited) }
        if isDeleted { formUnion(.deleted) }
        if flags.contains(.reacted) { formUnion(.reaction) }
        if isReply { formUnion(.reply) }
        if flags.contains(.pinned) { formUnion(.pinned) }
    }

    /// The facets of the marks, with a space before each.
    var facets: String {
        Self.tokens.reduce(into: "") { facets, token in
            if contains(token.mark) { facets += " \(token.text)" }
        }
    }

    private static let tokens: [(mark: SearchMarks, text: String)] = [
        (.file, "hfile"), (.image, "himage"), (.video, "hvideo"), (.audio, "haudio"), (.reaction, "hreaction"),
        (.edited, "xedited"), (.deleted, "xdeleted"), (.reply, "xreply"), (.pinned, "xpinned"),
    ]
}

extension SearchMarks {
    /// SQL for the paths of the files of a row of `message`, joined by line feeds; null if it has none.
    package static let paths = """
        (SELECT group_concat(ifnull(path, ''), char(10)) FROM attachment LEFT JOIN file ON file.id = file_id
            WHERE message_id = message.id)
        """

    /// Returns the marks of a message with files at these paths.
    package static func files(at paths: [String]) -> SearchMarks {
        paths.isEmpty ? [] : files(joined: paths.joined(separator: "\n"))
    }

    /// Returns the marks of a message with files at these paths, one a line. A path that has lines itself counts as
    /// several, so that the marks don't depend on where the paths come from.
    package static func files(joined paths: String?) -> SearchMarks {
        guard let paths else { return [] }
        return paths.unicodeScalars.split(separator: "\n").reduce(into: SearchMarks.file) { marks, path in
            switch Attachment(path: String(Substring(path))).kind {
            case .image: marks.formUnion(.image)
            case .video: marks.formUnion(.video)
            case .audio: marks.formUnion(.audio)
            case .file: break
            }
        }
    }
}
