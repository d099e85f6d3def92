/// The age of an account's copy in a shared archive.
package struct AccountCopyAge: Sendable, Hashable {
    package var account: String
    /// When the copy was last complete, by the listener's clock; nil if it never was.
    package var caughtUpAt: Timestamp?

    package init(account: String, caughtUpAt: Timestamp?) {
        (self.account, self.caughtUpAt) = (account, caughtUpAt)
    }

    /// The time since then in whole seconds; nil if the copy was never complete.
    package func seconds(at now: Timestamp = .now()) -> Int64? {
        caughtUpAt.map { max((now.microseconds - $0.microseconds) / 1_000_000, 0) }
    }
}
