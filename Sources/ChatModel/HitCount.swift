/// The number of messages found in one room, of one person or on one day.
package struct HitCount: Sendable, Hashable {
    /// The account; nil for a count of all accounts.
    package var account: String?
    /// The present name of the room or person, or the day as `2026-11-21`; nil for a total.
    package var name: String?
    /// The names by the further properties of a count by several; empty for a count by one.
    package var others: [String?]
    package var count: Int64
    /// The number of the room or person in the account, which distinguishes namesakes; nil for other counts.
    package var id: Int64?

    package init(account: String?, name: String?, others: [String?] = [], count: Int64, id: Int64? = nil) {
        (self.account, self.name, self.others, self.count, self.id) = (account, name, others, count, id)
    }

    /// - Parameter names: The names by all properties, in their order.
    package init(account: String?, names: [String?], count: Int64) {
        self.init(account: account, name: names.first ?? nil, others: Array(names.dropFirst()), count: count)
    }

    /// The names by all properties, in their order.
    package var names: [String?] { [name] + others }
}
