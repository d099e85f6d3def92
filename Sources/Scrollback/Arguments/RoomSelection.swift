import Archive
import ArgumentParser
import ChatModel
import Rendering

/// The messages that a command reads: one room, the rooms of some accounts, or everything.
struct RoomSelection: Sendable {
    static let roomHelp = ArgumentHelp(
        "A room: NAME, ACCOUNT/NAME or id. Quote a name with # in a shell, or leave out the #.",
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
        if let room {
            return try await resolve(room, in: reading)
        }
        let known = try await reading.accounts().map(\.name)
        for name in accounts where !known.contains(name) {
            throw Self.unknown(account: name, known: known, folder: reading.folder)
        }
        let names = accounts.isEmpty ? known : accounts
        guard !names.isEmpty else { return nil }
        return Selected(
            scope: .accounts(names), arguments: accounts.isEmpty ? ["--all"] : accounts.flatMap { ["-a", $0] },
            hasSeveralRooms: true)
    }

    private func resolve(_ name: String, in reading: ArchiveReading) async throws -> Selected {
        let found = try await RoomResolver.find(name, accounts: accounts, in: reading)
        return Selected(
            scope: .room(account: found.room.account, id: found.room.id), arguments: [found.name],
            hasSeveralRooms: false)
    }

    static func unknown(account: String, known: [String], folder: String) -> CommandError {
        let nearest = Nearest.to(account, among: known).map { "did you mean \"\(Sanitizer.line($0))\"? " } ?? ""
        return CommandError(
            .unknownAccount, "no account \"\(Sanitizer.line(account))\" in data folder \(Sanitizer.line(folder))",
            hint: nearest + "\"scrollback accounts\" lists them")
    }
}
