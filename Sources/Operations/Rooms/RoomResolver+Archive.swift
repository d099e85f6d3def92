package import ChatModel
package import Reading
package import SearchText

extension RoomResolver {
    /// Returns a resolver of the rooms that an argument may name.
    ///
    /// Opens only one account if only one is named, here or as `account/name`. A cold one is made plain in that case,
    /// and other cold accounts are not reported.
    ///
    /// - Parameters:
    ///   - accounts: The accounts to search; empty for all.
    ///   - takesAccounts: True if the command takes several `--account`.
    package init(
        for argument: String, accounts: [String] = [], takesAccounts: Bool = false, in reading: ArchiveReading
    ) throws {
        let named = accounts.isEmpty ? try Self.accountNames(in: argument, reading) : accounts
        var rooms: [NamedRoom] = []
        if named.count == 1 {
            rooms = try reading.namedRooms(accounts: named)
            // The slash may be part of the name of another account's room.
            if accounts.isEmpty, RoomArgument(argument).rooms(among: rooms).isEmpty {
                rooms += try reading.namedRooms().filter { $0.account != named[0] }
            }
        } else {
            rooms = try reading.namedRooms(accounts: accounts.isEmpty ? nil : accounts)
        }
        self.init(
            rooms: rooms, folder: reading.folder, account: accounts.count == 1 ? accounts[0] : nil,
            takesAccounts: takesAccounts)
        hasSkipped = account == nil && !reading.skipped.isEmpty
    }

    /// Finds one room in an archive.
    ///
    /// - Parameter accounts: The accounts to search; empty for all.
    package static func room(
        _ argument: String, accounts: [String] = [], in reading: ArchiveReading
    ) throws -> NamedRoom {
        try RoomResolver(for: argument, accounts: accounts, in: reading).resolve(argument)
    }

    /// Returns the rooms of each name of `in:` in a query.
    package static func rooms(
        named query: SearchQuery, of accounts: [String], in reading: ArchiveReading
    ) throws -> [String: [NamedRoom]] {
        let names = Set(query.roomNames)
        guard !names.isEmpty else { return [:] }
        // Reading all of thousands of rooms takes longer than most searches.
        let arguments = names.map(RoomArgument.init)
        let near = Self.ofQuery(try reading.namedRooms(accounts: accounts, meantBy: arguments), reading)
        var found = arguments.reduce(into: [:]) { $0[$1.text] = near.namesakes($1) }
        guard found.values.contains(where: \.isEmpty) else { return found }
        let all = Self.ofQuery(try reading.namedRooms(accounts: accounts), reading)
        for (name, rooms) in found where rooms.isEmpty { found[name] = try all.resolveEverywhere(name) }
        return found
    }

    private static func ofQuery(_ rooms: [NamedRoom], _ reading: ArchiveReading) -> RoomResolver {
        var resolver = RoomResolver(rooms: rooms, folder: reading.folder)
        resolver.isOfQuery = true
        resolver.hasSkipped = !reading.skipped.isEmpty
        return resolver
    }

    /// Returns a resolver of one account's rooms.
    package func within(_ account: String) -> RoomResolver {
        RoomResolver(
            rooms: rooms.filter { $0.account == account }, folder: folder, account: account,
            takesAccounts: takesAccounts)
    }

    private static func accountNames(in argument: String, _ reading: ArchiveReading) throws -> [String] {
        guard argument.contains("/") else { return [] }
        let folded = RoomArgument.fold(argument)
        return try reading.accounts().map(\.name).filter { folded.hasPrefix(RoomArgument.fold($0) + "/") }
    }
}
