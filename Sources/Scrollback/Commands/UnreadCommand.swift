import Archive
import ChatModel
import Operations
import Options
import Reading
import Rendering
import Settings

struct UnreadCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        abstract: "List the rooms with unread messages.",
        discussion: """
            EXAMPLE: scrollback unread

            Your own messages, joins, leaves, renames and modes don't count. "scrollback history ROOM --unread" shows the messages, \
            "scrollback mark-read ROOM" marks them as read.

            --remote asks each account's service for its own count, through the listener, or with the configured login if none runs. \
            "14 (+2)" means that the service counts two more. "?" means that the count is unknown; stderr says why.
            """)

    @Argument(.room)
    var room: String?

    @OptionGroup var accounts: AccountsOption

    @Flag(.allRooms)
    var all = false

    @Flag("remote", help: "Show the service's own count as well.")
    var remote = false

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    static let isReader = true

    func read() throws -> Bool {
        guard !remote else { return false }
        try showOnce()
        return true
    }

    func run() async throws {
        let operation = UnreadOperation(room: room, accounts: accounts.account, includesRead: all)
        if remote { return try await compare(operation, ServerProgram.work()) }
        try show(operation)
    }

    /// Runs the command without ``remote``.
    func showOnce() throws { try show(UnreadOperation(room: room, accounts: accounts.account, includesRead: all)) }

    private func show(_ operation: UnreadOperation) throws {
        let reading = try reader.reading(cold: cold)
        let rooms = try operation.rooms(in: reading)
        try reader.write(rooms, as: UnreadRoom.listing(time: LocalTime(zone: reader.zone)), leftOut: reading.skipped)
        if rooms.isEmpty { reportNone(in: reading.folder) }
    }

    private func compare(_ operation: UnreadOperation, _ work: any ServerWork) async throws {
        let archive = try reader.archive(cold: cold)
        let rooms = try operation.all(in: archive.reading())
        let line = TerminalLine()
        let compared = try await work.compare(rooms, in: archive, search: reader.folder.search) { left in
            line.show("asking about \(left.of("room"))")
        }
        line.clear()
        let shown = compared.filter { operation.includesRead || $0.isWorthShowing }
        try reader.write(
            shown, as: ComparedUnread.listing(time: LocalTime(zone: reader.zone)), leftOut: archive.skipped)
        for error in ComparedUnread.errors(shown) { StandardStream.note("scrollback: \(Sanitizer.line(error))\n") }
        if shown.isEmpty { reportNone(in: archive.folder) }
    }

    private func reportNone(in folder: String) {
        StandardStream.note("no unread messages in \(Sanitizer.line(folder))\n")
    }
}
