/// An account that an answer lacks, and why.
package struct LeftOut: Sendable, Hashable {
    /// The reason of an account whose file is compressed.
    package static let cold = "cold"

    /// Nil where its folder does not tell.
    package var account: String?
    /// One word that stays the same: the name of the error's page in `docs/errors`.
    package var reason: String
    /// For people.
    package var detail: String

    package init(account: String?, reason: String, detail: String) {
        (self.account, self.reason, self.detail) = (account, reason, detail)
    }
}
