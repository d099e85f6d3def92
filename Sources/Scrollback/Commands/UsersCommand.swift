import Archive
import ArgumentParser
import ChatModel
import Rendering

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "List people with their earlier names, of all rooms or of one.",
        discussion: """
            EXAMPLE: scrollback users classroom/lobby

            The members of a room are the people whom the listener has seen; people who never wrote may be missing.
            """)

    @Argument(help: RoomSelection.roomHelp, completion: ArchiveNames.roomCompletion)
    var room: String?

    @Option(
        name: .shortAndLong, help: "Only this account; may be repeated.",
        completion: ArchiveNames.accountCompletion)
    var account: [String] = []

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try selection.validate()
    }

    func run() async throws {
        let reading = try reader.archive(cold: cold).reading()
        guard let selected = try await selection.resolve(in: reading) else {
            try write([], hasSeveralAccounts: false, reading)
            return StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
        let users = try await reading.users(scope: selected.scope)
        try write(users, hasSeveralAccounts: users.first?.account != users.last?.account, reading)
        if users.isEmpty {
            StandardStream.note("no users found in \(Sanitizer.line(reading.folder))\n")
        }
    }

    private func write(_ users: [User], hasSeveralAccounts: Bool, _ reading: ArchiveReading) throws {
        let listing = Listing<User>.users(
            time: LocalTime(zone: reader.zone), showsAccounts: hasSeveralAccounts,
            showsRoom: room != nil && users.allSatisfy { $0.membership != nil })
        try reader.write(users, as: listing, leftOut: reading.skipped)
    }

    private var selection: RoomSelection {
        RoomSelection(room: room, accounts: account, all: room == nil && account.isEmpty)
    }
}
