import ChatModel
import Operations
import Options
import Reading
import Rendering

struct UsersCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "List people with their earlier names, of all rooms or of one.",
        discussion: """
            EXAMPLE: scrollback users classroom/lobby --sort messages

            MESSAGES counts what each person wrote, in the room or in all rooms. Joins, leaves, renames and modes don't count.
            The list of a room has only people whom the listener saw write, join or leave; silent members may be missing.
            """)

    @Argument(.room)
    var room: String?

    @OptionGroup var accounts: AccountsOption

    @Option(.userOrder)
    var sort = UsersOperation.Order.name

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try asUsage { try selection.validate() }
    }

    func run() throws {
        let reading = try reader.reading(cold: cold)
        guard let users = try UsersOperation(selection: selection, order: sort).users(in: reading) else {
            try write([], reading)
            return StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
        try write(users, reading)
        if users.isEmpty {
            StandardStream.note("no users found in \(Sanitizer.line(reading.folder))\n")
        }
    }

    private func write(_ users: [User], _ reading: ArchiveReading) throws {
        let listing = User.listing(
            time: LocalTime(zone: reader.zone), showsAccounts: Set(users.map(\.account)).count > 1,
            showsRoom: room != nil && users.allSatisfy { $0.membership != nil })
        try reader.write(users, as: listing, leftOut: reading.skipped)
    }

    private var selection: RoomSelection {
        accounts.selection(room: room)
    }
}
