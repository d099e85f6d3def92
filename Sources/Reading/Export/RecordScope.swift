import Schema

/// The rooms of an export that has only some rooms, with their workspaces and their people.
///
/// Takes some 30 bytes of memory a person.
struct RecordScope: Sendable {
    /// The kind of thing that a row is about.
    enum Subject: Sendable { case workspace, user, room }

    private let workspaces: Set<Int64>
    private let users: Set<Int64>
    private let rooms: Set<Int64>

    /// - Parameter rooms: The numbers of the selected rooms.
    init(rooms: [Int64], _ db: ReadTransaction) throws {
        let list = SQLArgument.list(rooms)
        self.rooms = Set(rooms)
        workspaces = try Set(
            db.integers(
                "SELECT DISTINCT workspace_id FROM room WHERE id \(Self.isSelected) AND workspace_id IS NOT NULL",
                [list]))
        users = try Set(db.integers(Self.people, [list]))
    }

    func contains(_ number: Int64, _ subject: Subject) -> Bool {
        switch subject {
        case .workspace: workspaces.contains(number)
        case .user: users.contains(number)
        case .room: rooms.contains(number)
        }
    }

    private static let isSelected = SQLText.among(1)

    /// The account itself, and the rooms' senders, members, partners, and people with reactions or retractions.
    ///
    /// `sender_count` lacks the senders of joins and other noise.
    private static let people: SQLText = """
        SELECT id FROM "user" WHERE is_self = 1 OR id IN (
          SELECT sender_id FROM sender_count WHERE room_id \(isSelected) AND messages > 0
          UNION SELECT sender_id FROM message \(.indexed("message_room")) WHERE room_id \(isSelected) AND noise = 1
          UNION SELECT user_id FROM membership WHERE room_id \(isSelected)
          UNION SELECT user_id FROM reaction WHERE room_id \(isSelected)
          UNION SELECT user_id FROM retraction WHERE room_id \(isSelected)
          UNION SELECT partner_id FROM room WHERE id \(isSelected))
        """
}
