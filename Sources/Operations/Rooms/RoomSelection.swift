package import ChatModel
package import Reading
import Rendering

/// The messages that an operation reads: one room, the rooms of a workspace or of some accounts, or everything.
package struct RoomSelection: Sendable {
    /// The selected messages, and the arguments that select them again.
    package struct Selected: Sendable {
        package var scope: MessageQuery.Scope
        /// The arguments that select the same messages.
        package var arguments: [String]
        package var hasSeveralRooms: Bool
    }

    package var room: String?
    package var accounts: [String]
    /// True for every room, of the named accounts if there are any.
    package var all: Bool

    package init(room: String?, accounts: [String], all: Bool) {
        (self.room, self.accounts, self.all) = (room, accounts, all)
    }

    /// Makes the selection of a room or a workspace, or of all rooms of the accounts; of everything if nothing is
    /// named.
    package init(room: String?, accounts: [String]) {
        self.init(room: room, accounts: accounts, all: room == nil && accounts.isEmpty)
    }

    /// - Throws: ``UsageError`` for options that can't be combined.
    package func validate() throws {
        if all, room != nil { throw UsageError("--all means every room; remove ROOM, or --all") }
        if let twice = accounts.first(where: { name in accounts.count { $0 == name } > 1 }) {
            throw UsageError("account \"\(twice)\" is named twice")
        }
    }

    /// Resolves the selection; nil if there is no account to read.
    package func resolve(in reading: ArchiveReading) throws -> Selected? {
        let known = try reading.accounts().map(\.name)
        try Self.requireKnown(accounts, among: known, folder: reading.folder)
        if let room { return try resolve(room, in: reading) }
        let names = accounts.isEmpty ? known : accounts
        guard !names.isEmpty else { return nil }
        return Selected(
            scope: .accounts(names),
            arguments: accounts.isEmpty ? ["--all"] : accounts.flatMap(NextCommand.account),
            hasSeveralRooms: true)
    }

    /// Resolves a room, or the rooms of a workspace. Several accounts have one each.
    private func resolve(_ name: String, in reading: ArchiveReading) throws -> Selected {
        let resolver = try RoomResolver(for: name, accounts: accounts, takesAccounts: true, in: reading)
        let found =
            accounts.count > 1
            ? try accounts.flatMap { try resolver.within($0).resolveAll(name) } : try resolver.resolveAll(name)
        return Selected(
            scope: .rooms(found.map(\.key)),
            arguments: found.count == 1
                ? [resolver.name(of: found[0])] : [name] + accounts.flatMap(NextCommand.account),
            hasSeveralRooms: found.count > 1)
    }

    /// - Throws: ``OperationError`` for a name that no account has.
    package static func requireKnown(_ names: [String], among known: [String], folder: String) throws {
        for name in names where !known.contains(name) {
            throw unknown(account: name, known: known, folder: folder)
        }
    }

    package static func unknown(account: String, known: [String], folder: String) -> OperationError {
        OperationError(
            .unknownAccount, "no account \"\(Sanitizer.value(account))\" in \(Sanitizer.line(folder))",
            hint: FailureText.advice(account: account, known: known))
    }
}
