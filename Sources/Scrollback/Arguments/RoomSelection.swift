import Archive
import ArgumentParser
import ChatModel
import Rendering

/// The messages that a command reads: one room, the rooms of a workspace or of some accounts, or everything.
struct RoomSelection: Sendable {
    static let roomHelp = ArgumentHelp(
        "A room: NAME, ACCOUNT/NAME, id or a unique part of the name. Quote # in a shell, or leave it out.",
        valueName: "room")

    /// The selected messages, and the arguments that select them again.
    struct Selected: Sendable {
        var scope: MessageQuery.Scope
        /// The arguments that select the same messages.
        var arguments: [String]
        var hasSeveralRooms: Bool
    }

    var room: String?
    var accounts: [String]
    var all: Bool

    /// - Throws: ``ValidationError`` for options that can't be combined.
    func validate() throws {
        if all, room != nil || !accounts.isEmpty {
            throw ValidationError("--all means every room; remove ROOM and --account, or --all")
        }
        if let twice = accounts.first(where: { name in accounts.count { $0 == name } > 1 }) {
            throw ValidationError("account \"\(twice)\" is named twice")
        }
    }

    /// Resolves the selection; nil if there is no account to read.
    func resolve(in reading: ArchiveReading) async throws -> Selected? {
        let known = try await reading.accounts().map(\.name)
        for name in accounts where !known.contains(name) {
            throw Self.unknown(account: name, known: known, folder: reading.folder)
        }
        if let room { return try await resolve(room, in: reading) }
        let names = accounts.isEmpty ? known : accounts
        guard !names.isEmpty else { return nil }
        return Selected(
            scope: .accounts(names), arguments: accounts.isEmpty ? ["--all"] : accounts.flatMap { ["-a", $0] },
            hasSeveralRooms: true)
    }

    /// Resolves a room, or the rooms of a workspace. Several accounts have one each.
    private func resolve(_ name: String, in reading: ArchiveReading) async throws -> Selected {
        let resolver = try await RoomResolver(for: name, accounts: accounts, takesAccounts: true, in: reading)
        let found =
            accounts.count > 1
            ? try accounts.flatMap { try resolver.within($0).resolveAll(name) } : try resolver.resolveAll(name)
        return Selected(
            scope: .rooms(found.map(\.key)),
            arguments: found.count == 1 ? [resolver.name(of: found[0])] : [name] + accounts.flatMap { ["-a", $0] },
            hasSeveralRooms: found.count > 1)
    }

    static func unknown(account: String, known: [String], folder: String) -> CommandError {
        let nearest = Nearest.to(account, among: known).map { "did you mean \"\(Sanitizer.line($0))\"? " } ?? ""
        return CommandError(
            .unknownAccount, "no account \"\(Sanitizer.line(account))\" in data folder \(Sanitizer.line(folder))",
            hint: nearest + "\"scrollback accounts\" lists them")
    }
}
