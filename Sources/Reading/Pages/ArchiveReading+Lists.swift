import Accounts
package import ChatModel
import Records
import Schema

/// Lists of rooms, people and gaps, and single messages.
extension ArchiveReading {
    /// Returns the rooms of an account, or of all, sorted by (account, workspace, name), direct rooms after the others.
    package func rooms(account: String? = nil) throws -> [Room] {
        try readAll(of: account.map { [$0] }) { try Room.readAll($0.account, isForList: false, $1) }
    }

    /// Returns the rooms of the named accounts, or of all, with all their names, sorted by (account, number).
    ///
    /// - Parameter arguments: Leaves out most rooms that none of these names; nil for all rooms.
    package func namedRooms(accounts: [String]? = nil, meantBy arguments: [RoomArgument]? = nil) throws -> [NamedRoom] {
        try readAll(of: accounts) { try NamedRoom.readAll($0.account, meantBy: arguments, $1) }
    }

    /// Returns the rooms of the accounts, or of all if none is named, in the same order, with the unread messages,
    /// counted up to ``UnreadCount/limit`` a room, and the last message of each.
    package func roomList(accounts: [String] = []) throws -> [Room] {
        try readAll(of: accounts.isEmpty ? nil : accounts) { try Room.readAll($0.account, isForList: true, $1) }
    }

    /// Returns the rooms of the accounts, or of all if none is named, with their names, kinds, numbers of messages and last messages
    /// alone, in the order of their accounts.
    ///
    /// - Parameter isSorted: True to sort the rooms of an account as ``rooms(account:)`` does; false to sort only those without
    ///   messages, for a list in the order of the last messages.
    package func roomOutlines(accounts: [String] = [], isSorted: Bool) throws -> [Room] {
        try readAll(of: accounts.isEmpty ? nil : accounts) { try Room.readOutlines($0.account, isSorted: isSorted, $1) }
    }

    /// Returns the same rooms with all that ``roomList(accounts:)`` has of them. A room that is gone meanwhile stays as it is.
    package func listed(_ rooms: [Room]) throws -> [Room] {
        let ids = Dictionary(grouping: rooms, by: \.account).mapValues { $0.map(\.id) }
        guard !ids.isEmpty else { return [] }
        let found = try collect(of: ids.keys.sorted(), restores: false, into: [RoomKey: Room]()) { found, reader in
            let ids = ids[reader.account.name, default: []]
            let rooms = try reader.read { db in try Room.readAll(reader.account, ids: ids, isForList: true, db) }
            for room in rooms { found[room.key] = room }
        }.result
        return rooms.map { found[$0.key] ?? $0 }
    }

    /// Returns the unread state of every room of the accounts, or of all if none is named, sorted by (account, name).
    package func unread(accounts: [String] = []) throws -> [UnreadRoom] {
        try readAll(of: accounts.isEmpty ? nil : accounts) { try UnreadRoom.readAll($0.account, room: nil, $1) }
    }

    /// Returns the unread state of one room; empty if it does not exist.
    package func unread(account: String, room: Int64) throws -> [UnreadRoom] {
        try readAll(of: [account]) { try UnreadRoom.readAll($0.account, room: room, $1) }
    }

    /// Returns the questions to an account's network about its rooms, to compare its unread counts with ours. Omits
    /// rooms that were left.
    package func unreadQuestions(account: String) throws -> [UnreadQuestion] {
        try readAll(of: [account]) { try UnreadQuestion.readAll($1) }
    }

    /// Returns the users of the accounts, or the known members of the rooms, sorted by (account, name).
    ///
    /// - Parameter countsMessages: Reads the number of messages of each, in these rooms or in all.
    package func users(scope: MessageQuery.Scope, countsMessages: Bool = false) throws -> [User] {
        try collect(in: scope, into: []) { users, reader in
            users += try reader.read { db in
                let rooms = scope.rooms(of: reader.account.name)
                let counts = countsMessages ? try User.messageCounts(rooms: db.visible(rooms), db) : nil
                return try User.readAll(reader.account, rooms: rooms, messages: counts, db)
            }
        }.result
    }

    /// Returns one message with all its details, from one account or from every account that has it.
    package func message(_ id: MessageID, account: String? = nil) throws -> MessageLookup {
        try collect(of: account.map { [$0] }, into: MessageSearch<MessageDetail>()) { search, reader in
            let details = MessageDetailReader(
                account: reader.account, gaps: reader.gapReader, versionBytes: pageBytes)
            try search.look(for: id, in: reader) { try details.detail(of: id, $0) }
        }.result.result
    }

    /// Returns every gap of the accounts or of the rooms, and the spans that only imported logs cover, sorted by (from,
    /// account, room).
    package func gaps(scope: MessageQuery.Scope) throws -> [Gap] {
        try collect(in: scope, into: []) { gaps, reader in
            gaps += try reader.gaps(
                rooms: scope.rooms(of: reader.account.name), with: [.imported, .encrypted])
        }.result.inOrder()
    }
}
