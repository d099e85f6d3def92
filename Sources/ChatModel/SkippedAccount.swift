/// An account that an answer lacks, with the reason.
package struct SkippedAccount: Sendable, Hashable {
    /// The reason of an account whose file is compressed.
    package static let cold = "cold"

    /// The account's name; nil if its folder doesn't name it.
    package var account: String?
    /// A stable word: the name of the error's page in `docs/errors`.
    package var reason: String
    /// The reason for people.
    package var detail: String

    package init(account: String?, reason: String, detail: String) {
        (self.account, self.reason, self.detail) = (account, reason, detail)
    }
}
