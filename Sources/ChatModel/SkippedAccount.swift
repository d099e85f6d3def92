/// An account that an answer lacks, with the reason.
package struct SkippedAccount: Sendable, Hashable {
    /// The reason of an account whose file is compressed.
    package static let cold = "cold"

    /// The reason of an account that is encrypted, without an identity that decrypts it.
    package static let encrypted = "encrypted"

    /// True for an account that is complete, and whose owner wants it closed.
    package var isResting: Bool { [Self.cold, Self.encrypted].contains(reason) }

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
