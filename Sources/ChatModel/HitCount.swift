/// The number of messages found in one room, of one person or on one day.
package struct HitCount: Sendable, Hashable {
    /// The account; nil for a count of all accounts.
    package var account: String?
    /// The present name of the room or person, or the day as `2026-11-21`; nil for a total.
    package var name: String?
    package var count: Int64

    package init(account: String?, name: String?, count: Int64) {
        (self.account, self.name, self.count) = (account, name, count)
    }
}
