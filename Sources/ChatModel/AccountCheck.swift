/// What became of checking one account's archive.
package struct AccountCheck: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case fine, wrong
        /// It could not be checked, or not in full; nothing was found to be wrong.
        case unchecked
    }

    package struct Problem: Sendable, Hashable {
        /// The check's name.
        package var check: String
        /// What is wrong, for people, and where.
        package var detail: String
        /// What to do.
        package var advice: String

        package init(check: String, detail: String, advice: String) {
            self.check = check
            self.detail = detail
            self.advice = advice
        }
    }

    /// Nil when the file can't tell.
    package var account: String?
    /// The path of the account's folder.
    package var folder: String
    package var state: State
    /// By the rooms' own counts; nil when they can't be read.
    package var messages: Int64?
    /// How many checks were made.
    package var checks: Int
    package var problems: [Problem]

    package init(
        account: String?, folder: String, state: State, messages: Int64?, checks: Int, problems: [Problem]
    ) {
        self.account = account
        self.folder = folder
        self.state = state
        self.messages = messages
        self.checks = checks
        self.problems = problems
    }
}

/// A check that begins, or goes on.
package struct CheckProgress: Sendable, Hashable {
    /// The account, or its folder where the file can't tell.
    package var account: String
    package var check: String
    /// From 1.
    package var number: Int
    package var count: Int
    /// How much of it is done, from 0 to 1; nil as it begins.
    package var share: Double?

    package init(account: String, check: String, number: Int, count: Int, share: Double? = nil) {
        self.account = account
        self.check = check
        self.number = number
        self.count = count
        self.share = share
    }
}
