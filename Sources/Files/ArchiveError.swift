/// A failure of the archive.
package struct ArchiveError: Error, Hashable {
    /// The cause of a failure. Each raw value is the name of a page in `docs/errors`.
    package enum Code: String, Sendable, CaseIterable {
        /// The data folder is missing or empty.
        case noArchive = "no-archive"
        case unknownAccount = "unknown-account"
        case unknownRoom = "unknown-room"
        /// The limit of open accounts is reached, and all of them are in use.
        case tooManyOpen = "too-many-open"
        /// Another process writes this account.
        case locked
        /// The account is compressed, and the operation does not make it plain.
        case cold
        /// The account is encrypted, and there is no identity that decrypts it.
        case encrypted
        /// The program `age` is missing or fails, or a public key is not one.
        case age
        /// A newer program wrote the file.
        case schemaTooNew = "schema-too-new"
        /// An older program wrote the file, and its writer still runs, or the schema is too old to be upgraded.
        case schemaTooOld = "schema-too-old"
        /// The folder or a file can't be read or written.
        case notPermitted = "not-permitted"
        /// The file system refuses locks.
        case noLocks = "no-locks"
        /// The file is not Scrollback's, or is damaged.
        case corrupt
        /// The search index can't be used; it can be rebuilt from the messages.
        case searchIndex = "search-index"
        /// A shared archive can't do this, or is not as it should be.
        case sharedArchive = "shared-archive"
        /// A backup can't be made or restored there, would lose something, or differs from the original.
        case backup
        /// The time of a request was up.
        case stopped
        /// People or rooms can't be merged, or a merge can't be undone. The same for bridges, which change senders, too.
        case merge
        /// A hold keeps what is to be erased.
        case held
        /// The account, or the disk, has reached the limit that the configuration sets.
        case quota
        /// A file or folder is a symbolic link, or on another disk than the account.
        case linked
        /// The disk is full, input or output failed, or memory ran out. May pass without help.
        case storage
    }

    /// The cause, for programs.
    package let code: Code
    /// The message for people, with values: "accounts/demo-7f3k2a/1.sqlite has schema 9, but this scrollback supports
    /// only 7".
    package let detail: String
    /// The advice for people; nil for the usual advice of the code.
    package let hint: String?
    /// Nil for other errors than a name that no account has.
    package let missing: MissingAccount?

    /// A name that no account has, and the names that there are, for advice.
    package struct MissingAccount: Sendable, Hashable {
        package var account: String
        package var known: [String]
    }

    package init(code: Code, detail: String, hint: String? = nil) {
        self.init(code: code, detail: detail, hint: hint, missing: nil)
    }

    private init(code: Code, detail: String, hint: String?, missing: MissingAccount?) {
        (self.code, self.detail, self.hint, self.missing) = (code, detail, hint, missing)
    }
}

extension ArchiveError: CustomStringConvertible {
    package var description: String {
        detail
    }
}

extension ArchiveError {
    /// Describes an account that is not in a data folder or a shared archive.
    package init(account name: String, in place: String, known: [String]) {
        self.init(
            code: .unknownAccount, detail: "no account \"\(name)\" in \(place)", hint: nil,
            missing: MissingAccount(account: name, known: known))
    }

    /// The error of what needs an account's files.
    package static let needsFiles = ArchiveError(
        code: .sharedArchive, detail: "this needs the accounts' files, which are on the machines that listen")
}
