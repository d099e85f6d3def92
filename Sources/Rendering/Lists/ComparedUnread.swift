package import ChatModel

/// The unread messages of a room, by our count and by the network's own.
package struct ComparedUnread: Sendable, Hashable {
    package var room: UnreadRoom
    /// The network's count; nil if it was not requested, because the account left the room.
    package var answer: UnreadAnswer?

    package init(room: UnreadRoom, answer: UnreadAnswer?) {
        (self.room, self.answer) = (room, answer)
    }

    /// The network's count: `14`, `14 (+2)` if it differs from ours, `?` if it failed, `-` if it was not requested.
    package var shown: String {
        guard let answer else { return "-" }
        guard let count = answer.count else { return "?" }
        let difference = Int64(count) - room.unread
        guard difference != 0, !room.hasMore else { return String(count) }
        return "\(count) (\(difference > 0 ? "+" : "-")\(difference.magnitude))"
    }

    /// True if either count is above 0, or the network's count failed.
    package var isWorthShowing: Bool {
        room.unread > 0 || answer?.count ?? 0 > 0 || answer?.error != nil
    }

    /// Returns each error once, with the rooms that have it.
    package static func errors(_ rooms: [ComparedUnread]) -> [String] {
        let failed = rooms.compactMap { room in room.answer?.error.map { (error: $0, room: room.room) } }
        let errors = failed.map(\.error).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return errors.map { error in
            let names = failed.filter { $0.error == error }.map { "\($0.room.account)/\($0.room.room)" }
            let more = names.count > 3 ? " and \(names.count - 3) more" : ""
            return "\(names.prefix(3).joined(separator: ", "))\(more): \(error)"
        }
    }
}

extension ComparedUnread {
    /// The columns and keys of `scrollback unread --remote`.
    package static func listing(time: LocalTime) -> Listing<ComparedUnread> {
        let own = UnreadRoom.listing(time: time)
        var columns = own.columns.map { column in
            Column<ComparedUnread>(heading: column.heading, alignment: column.alignment) { column.text($0.room) }
        }
        columns.insert(Column(heading: "SERVICE", alignment: .right) { $0.shown }, at: 2)
        return Listing(
            name: own.name, columns: columns, keys: own.keys + ["service", "service_error"], json: { JSONValue($0) })
    }
}

extension ComparedUnread: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object(
            JSONValue(room).members + [
                .init(key: "service", value: answer?.count.map { .number(Int64($0)) } ?? .null),
                .init(key: "service_error", value: JSONValue(answer?.error)),
            ])
    }
}
