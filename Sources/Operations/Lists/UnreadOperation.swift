package import ChatModel
package import Options
package import Reading
import Rendering

/// The rooms with unread messages.
package struct UnreadOperation: ArchiveOperation {
    package var room: String?
    package var accounts: [String]
    /// True to include rooms without unread messages.
    package var includesRead: Bool

    package init(room: String?, accounts: [String], includesRead: Bool) {
        (self.room, self.accounts, self.includesRead) = (room, accounts, includesRead || room != nil)
    }

    package static let parameters: [Parameter] = [
        .room, .accounts, .allRooms,
        .cold,
    ]

    package init(_ parameters: OperationParameters) throws {
        self.init(
            room: parameters.text("room"), accounts: parameters.texts("account"), includesRead: parameters.has("all"))
    }

    /// Returns the rooms, those without unread messages included.
    package func all(in reading: ArchiveReading) throws -> [UnreadRoom] {
        guard let room else { return try reading.unread(accounts: accounts) }
        let found = try RoomResolver.room(room, accounts: accounts, in: reading)
        return try reading.unread(account: found.account, room: found.id)
    }

    package func rooms(in reading: ArchiveReading) throws -> [UnreadRoom] {
        try all(in: reading).filter { includesRead || $0.unread > 0 }
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        OperationAnswer(
            try rooms(in: reading), as: UnreadRoom.listing(time: context.localTime), leftOut: reading.skipped)
    }
}
