import ChatModel
package import Options

/// The parameters of operations that answer lists.
extension Parameter {
    package static let roomOrder = choice(
        "sort", of: RoomsOperation.Order.self,
        "Sort by name, by the last message (newest first), or by the number of messages (most first).",
        requestHelp: "Sort by name, by the last message or by the number of messages.")
    package static let roomKind = choice("kind", of: RoomReference.Kind.self, "Only rooms of this kind.")
    package static let userOrder = choice(
        "sort", of: UsersOperation.Order.self, "Sort by name, or by the number of messages (most first).",
        requestHelp: "Sort by name or by the number of messages.")
    package static let people = Parameter(
        "limit", .number(1...1000), short: "n", valueName: "number",
        "The number of people and rooms, 1 to 1000, or all (default: 10).",
        requestHelp: "The number of people and rooms (default 10).")
    package static let imported = Parameter("imported", .flag, "Include the times that only imported logs cover.")
    package static let allRooms = Parameter("all", .flag, "Include rooms without unread messages.")
    package static let missing = Parameter("missing", .flag, "Only files that are not stored.")
    package static let files = Parameter(
        "limit", .number(1...1000), short: "n", "The number of files, 1 to 1000, or all (default: 50).",
        requestHelp: limit.requestHelp)

    // MARK: Read marks

    package static let markedRooms = Parameter(
        "room", .text, isRepeated: true, "Rooms: NAME, ACCOUNT/NAME or id (none with --all).",
        requestHelp: "A room; may be repeated.", completion: .rooms)
    package static let markedAccounts = Parameter(
        "account", .text, short: "a", isRepeated: true,
        "The account of the rooms. Without ROOM: mark all its rooms. May be repeated.", requestHelp: accounts.help,
        completion: .accounts)
    package static let markAll = Parameter("all", .flag, "Mark all rooms of all accounts.")
    package static let markTo = Parameter(
        "to", .time, valueName: "time",
        "The last read message, as a cursor; or a time, which marks all earlier messages (default: all stored).",
        requestHelp: "The last read message, as a cursor, or a time (default: all stored messages).")

    // MARK: Changes

    package static let position = Parameter(
        "after", .text, valueName: "epoch:seq", "With --feed, continue after a change's position.",
        requestHelp: "EPOCH:SEQ: the position of an earlier answer. Without it, only the present position.")
}
