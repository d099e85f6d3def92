import Rendering

/// The account of an import, and the zone in which it reads times, for the report.
package struct ImportDestination: Sendable, Hashable {
    let account: String
    /// True if the import creates the account.
    let isNew: Bool
    /// The name of the zone of times without one; nil if all times include their zone.
    let zone: String?

    package init(account: String, isNew: Bool, zone: String?) {
        (self.account, self.isNew, self.zone) = (account, isNew, zone)
    }

    /// Returns a line such as `  into kakaotalk/가족 (new account), local times read in Asia/Seoul`; empty without a room.
    ///
    /// - Parameter rooms: The rooms of the messages, at most ``ImportOutcome/maximumRooms``.
    func text(rooms: Set<String>) -> String {
        guard let room = rooms.first else { return "" }
        let more = rooms.count < ImportOutcome.maximumRooms ? "" : " or more"
        let place = rooms.count == 1 ? "\(account)/\(room)" : "\(rooms.count) rooms\(more) of \(account)"
        return "  into \(Sanitizer.line(place))\(isNew ? " (new account)" : "")"
            + (zone.map { ", local times read in \($0)" } ?? "") + "\n"
    }
}
