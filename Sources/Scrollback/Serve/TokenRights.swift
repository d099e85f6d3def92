import ChatModel
import Operations
import Options
import Reading
import Rendering
import Settings

/// The options that say what a token may read and do.
struct TokenRights: ParsableArguments {
    @Option("account", short: "a", help: "An account with all its rooms; may be repeated.", completion: .accounts)
    var account: [String] = []

    @Option("room", help: "This room of an account; may be repeated.", completion: .rooms)
    var room: [String] = []

    @Flag("all", help: "Everything, also accounts that come later.")
    var all = false

    @Flag("write", help: "Let the token mark rooms as read for you.")
    var write = false

    @Flag("own-marks", help: "Give the token read marks of its own, for another person (default with --room).")
    var ownMarks = false

    @Option("expires", help: "The time from which the token is refused.", valueName: "time")
    var expires: String?

    func validate() throws {
        _ = try end()
        guard !write || !ownMarks else {
            throw ValidationError("--write uses your read marks; remove it, or --own-marks")
        }
        let isLimited = !account.isEmpty || !room.isEmpty
        guard all != isLimited else {
            throw ValidationError(
                all
                    ? "--all can't be combined with --account or --room"
                    : "name what the token may read with --account or --room; --all gives everything")
        }
    }

    /// Returns a token with these rights.
    ///
    /// - Throws: For accounts and rooms that the archive does not have.
    func token(
        name: String, sha256: String, createdAt: Timestamp, in reading: ArchiveReading
    ) throws -> AccessToken {
        AccessToken(
            name: name, sha256: sha256, accounts: account, rooms: try rooms(in: reading), mayWrite: write,
            hasOwnMarks: ownMarks || !room.isEmpty && !write, expiresAt: try end(), createdAt: createdAt)
    }

    /// Returns the rooms, and checks the accounts.
    private func rooms(in reading: ArchiveReading) throws -> [AccessToken.Room] {
        let known = account.isEmpty ? [] : try reading.accounts().map(\.name)
        try RoomSelection.requireKnown(account, among: known, folder: reading.folder)
        var rooms: [AccessToken.Room] = []
        for name in room {
            let found = try RoomResolver.room(name, in: reading)
            guard !account.contains(found.account) else {
                throw ValidationError(
                    "--account \(Sanitizer.line(found.account)) gives every room of the account; to give only "
                        + "\"\(Sanitizer.line(found.name))\", leave --account out")
            }
            rooms.append(
                AccessToken.Room(
                    account: found.account, id: found.id, name: found.name,
                    accountCreatedAt: try reading.created(account: found.account)))
        }
        return rooms
    }

    private func end() throws -> Timestamp? {
        guard let expires else { return nil }
        let now = Timestamp.now()
        let end = try asUsage { try TimePhrase(parameter: expires, zone: .local, now: now).start.time }
        guard end > now else {
            throw ValidationError("--expires takes a time in the future, not \"\(Sanitizer.line(expires))\"")
        }
        return end
    }
}
