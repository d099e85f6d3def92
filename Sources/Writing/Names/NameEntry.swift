/// The row of a room or a user, with today's name.
package struct NameEntry {
    package var id: Int64
    var name: String
    var firstSeen: Int64
    /// The beginning of the first name.
    var earliest: Int64
    /// True if the network or an export says that it is the account's own person.
    var isSelf = false
    /// True for a direct room with a forgotten person, which keeps its name.
    var isForgotten = false
    /// True for one that took up another: two keys lead to it, so an entry of either could become out of date.
    var isMerged = false
    /// The latest message that is known to show an earlier name: today's name can't begin before it.
    var lastUnderEarlierName: Int64 = .min

    /// Returns true if a message of that id under today's name does not move the beginning of that name.
    func isSettled(_ id: Int64) -> Bool {
        isToday(id) || id <= lastUnderEarlierName
    }

    func isRemembered(_ key: String) -> Bool {
        !isMerged && max(key.utf8.count, name.utf8.count) <= Self.longestRemembered
    }

    /// Returns true if today's name holds at that time.
    func isToday(_ time: Int64) -> Bool { time >= firstSeen || firstSeen == earliest }

    /// The limit of users in memory, at about 200 bytes each and 500 at most: more users than the busiest channels have.
    static let capacity = 20_000
    /// The length of the longest key or name that is remembered, in bytes. A longer one costs a look-up each time.
    static let longestRemembered = 64

    /// Returns true for a name that is remembered.
    static func isShort(_ name: String) -> Bool { name.utf8.count <= longestRemembered }
}
