import Archive
import ArgumentParser
import ChatModel
import Rendering

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "List people with their earlier names, of all rooms or of one.",
        discussion: """
            EXAMPLE: scrollback users classroom/lobby --sort messages

            MESSAGES counts what each person wrote, in the room or in all rooms. Joins, leaves, renames and modes don't count.
            The list of a room has only people whom the listener saw write, join or leave; silent members may be missing.
            """)

    @Argument(help: RoomSelection.roomHelp, completion: ArchiveNames.roomCompletion)
    var room: String?

    @OptionGroup var accounts: AccountsOption

    enum Order: String, Sendable, CaseIterable, ExpressibleByArgument {
        case name, messages
    }

    @Option(help: "Sort by name, or by the number of messages (most first).")
    var sort = Order.name

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
        let byName = try await reading.users(scope: selected.scope, countsMessages: true)
        let users = Self.sorted(byName, by: sort)
        try write(users, hasSeveralAccounts: byName.first?.account != byName.last?.account, reading)
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

    /// Returns the users in an order; those with equal numbers of messages stay in the order of their names.
    static func sorted(_ users: [User], by order: Order) -> [User] {
        guard order == .messages else { return users }
        return users.enumerated().sorted {
            ($0.element.messages ?? 0, $1.offset) > ($1.element.messages ?? 0, $0.offset)
        }.map(\.element)
    }

    private var selection: RoomSelection {
        accounts.selection(room: room)
    }
}
