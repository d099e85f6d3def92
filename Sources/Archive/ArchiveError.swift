/// Why the archive could not do what it was asked.
package struct ArchiveError: Error, Hashable {
    /// Each is called as its page in `docs/errors`.
    package enum Code: String, Sendable, CaseIterable {
        /// No data folder, or nothing in it.
        case noArchive = "no-archive"
        case unknownAccount = "unknown-account"
        case unknownRoom = "unknown-room"
        /// As many accounts are open as may be, and in use.
        case tooManyOpen = "too-many-open"
        /// Another process writes this account.
        case locked
        /// Compressed, where it is not made plain for this.
        case cold
        /// Written by a newer program.
        case schemaTooNew = "schema-too-new"
        /// Written by an older program, and its writer still runs.
        case schemaTooOld = "schema-too-old"
        /// The folder or a file can't be read or written.
        case notPermitted = "not-permitted"
        /// Not a Scrollback file, or damaged.
        case corrupt
        /// The search index can't be used; it can be made anew from the messages.
        case searchIndex = "search-index"
        /// A backup can't be made or restored there, something would be lost with it, or it is not what was copied.
        case backup
        /// Full disk, input/output error, out of memory: may go away by itself.
        case storage
    }

    package let code: Code
    /// For people, values included: "accounts/demo-7f3k2a/1.sqlite has schema 9, this scrollback knows 7".
    package let detail: String

    package init(code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension ArchiveError: CustomStringConvertible {
    package var description: String {
        detail
    }
}
