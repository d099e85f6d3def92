package import ChatModel
package import Options
package import Reading

/// The rooms to mark as read, and the last read message.
package struct ReadMarkSelection: Sendable {
    package var rooms: [String]
    package var accounts: [String]
    package var all: Bool
    /// A cursor or a time, which marks all earlier messages; nil for all stored messages.
    package var to: String?

    package init(rooms: [String], accounts: [String], all: Bool, to: String?) {
        (self.rooms, self.accounts, self.all, self.to) = (rooms, accounts, all, to)
    }

    package static let parameters: [Parameter] = [.markedRooms, .markedAccounts, .markAll, .markTo]

    /// - Throws: ``UsageError`` for parameters that can't be combined, and a text that is not a time.
    package init(_ parameters: OperationParameters) throws {
        self.init(
            rooms: parameters.texts("room"), accounts: parameters.texts("account"), all: parameters.has("all"),
            to: parameters.text("to"))
        try validate(zone: parameters.zone)
    }

    package func validate(zone: Zone) throws {
        _ = try through(zone: zone)
        if all, !rooms.isEmpty { throw UsageError("--all means every room; remove ROOM, or --all") }
        if !all, rooms.isEmpty, accounts.isEmpty {
            throw UsageError("name a room, or give -a ACCOUNT or --all")
        }
    }

    /// Returns the last message to mark; nil for all stored messages.
    package func through(zone: Zone) throws -> MessageID? {
        try to.map { try TimePhrase(parameter: $0, zone: zone, now: .now()).after }
    }

    /// Returns the named rooms; without names, the rooms in which marking changes anything.
    package func selected(in reading: ArchiveReading) throws -> [UnreadRoom] {
        guard rooms.isEmpty else {
            var found: [UnreadRoom] = []
            for name in rooms {
                let room = try RoomResolver.room(name, accounts: accounts, in: reading)
                guard !found.contains(where: { $0.account == room.account && $0.roomID == room.id }) else { continue }
                found += try reading.unread(account: room.account, room: room.id)
            }
            return found
        }
        return try reading.unread(accounts: accounts).filter { to != nil || $0.unread > 0 }
    }
}
