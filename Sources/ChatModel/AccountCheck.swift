/// The result of checking one account's archive.
package struct AccountCheck: Sendable, Hashable {
    /// `fine` without problems, `wrong` with at least one.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case fine, wrong
        /// Not checked, or not completely; no problem was found.
        case unchecked
    }

    package struct Problem: Sendable, Hashable {
        /// The name of the check that found it.
        package var check: String
        /// The problem and its place, for people.
        package var detail: String
        /// The advice, for people.
        package var advice: String

        package init(check: String, detail: String, advice: String) {
            (self.check, self.detail, self.advice) = (check, detail, advice)
        }
    }

    /// The account's name; nil if the file can't be read that far.
    package var account: String?
    /// The path of the account's folder.
    package var folder: String
    package var state: State
    /// The number of messages, by the rooms' own counts; nil if they can't be read.
    package var messages: Int64?
    /// The number of checks that were made.
    package var checks: Int
    /// The problems in the order of the checks.
    package var problems: [Problem]
    /// True if the account is encrypted, and only its encrypted bytes were checked.
    package var isEncrypted = false

    package init(
        account: String?, folder: String, state: State, messages: Int64?, checks: Int, problems: [Problem]
    ) {
        (self.account, self.folder, self.state, self.messages) = (account, folder, state, messages)
        (self.checks, self.problems) = (checks, problems)
    }
}

/// The progress of one check.
package struct CheckProgress: Sendable, Hashable {
    /// The account's name, or its folder when the file can't be read that far.
    package var account: String
    /// The name of the check.
    package var check: String
    /// The number of the check, from 1 to `count`.
    package var number: Int
    /// The number of checks of the account.
    package var count: Int
    /// The part that is done, from 0 to 1; nil at the beginning.
    package var share: Double?

    package init(account: String, check: String, number: Int, count: Int, share: Double? = nil) {
        (self.account, self.check, self.number, self.count, self.share) = (account, check, number, count, share)
    }
}
