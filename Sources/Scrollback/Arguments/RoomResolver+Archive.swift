import Archive
import ChatModel

extension RoomResolver {
    /// Finds a room in an archive, and its full name, which no other room has.
    ///
    /// Opens only one account if only one is named, here or as `account/name`. A cold one is made plain in that case,
    /// and other cold accounts are not reported.
    ///
    /// - Parameter accounts: The accounts to search; empty for all.
    static func find(
        _ argument: String, accounts: [String] = [], in reading: ArchiveReading
    ) async throws -> (room: Room, name: String) {
        let named = accounts.isEmpty ? try await accountNames(in: argument, reading) : accounts
        if named.count == 1 {
            let resolver = RoomResolver(rooms: try await reading.rooms(account: named[0]), folder: reading.folder)
            // The slash may be part of the name of another account's room.
            if !accounts.isEmpty || (try? resolver.resolve(argument)) != nil { return try resolver.found(argument) }
        }
        let rooms = try await reading.rooms().filter { accounts.isEmpty || accounts.contains($0.account) }
        return try RoomResolver(rooms: rooms, folder: reading.folder).found(argument)
    }

    private static func accountNames(in argument: String, _ reading: ArchiveReading) async throws -> [String] {
        guard argument.contains("/") else { return [] }
        let folded = RoomArgument.fold(argument)
        return try await reading.accounts().map(\.name).filter { folded.hasPrefix(RoomArgument.fold($0) + "/") }
    }

    private func found(_ argument: String) throws(CommandError) -> (room: Room, name: String) {
        let room = try resolve(argument)
        return (room, name(of: room))
    }
}
