/// How many messages were found of one room, person or day.
package struct HitCount: Sendable, Hashable {
    /// Nil where the count is of all accounts.
    package var account: String?
    /// The room or the person as they are called today, the day as `2026-11-21`; nil where all are counted together.
    package var name: String?
    package var count: Int64

    package init(account: String?, name: String?, count: Int64) {
        self.account = account
        self.name = name
        self.count = count
    }
}
