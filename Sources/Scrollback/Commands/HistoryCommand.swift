import ChatModel
import Operations
import Options
import Reading
import Rendering

struct HistoryCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show a page of a room's history (default: the newest messages).",
        discussion: """
            EXAMPLE: scrollback history classroom/lobby --before 2026-11-21 -n 100

            A time is a date, a time or both (2026-11-21, 10:30), an age (2h, 7d, "2 weeks ago"), a name (yesterday, monday, "last \
            week") or a cursor as printed.
            Exit status: 0 found, 1 nothing found, 2 failed, or nothing found and an account could not be read.
            """)

    @Argument(.room)
    var room: String?

    @Option(.accountsOfRoom)
    var account: [String] = []

    @Flag("all", help: "All rooms of all accounts.")
    var all = false

    @OptionGroup(title: "Place in time") var anchors: AnchorOptions
    @OptionGroup(title: "Page") var page: PageOptions

    @Flag("follow", short: "f", help: "With --after or --unread: show all messages up to now, then new ones.")
    var follow = false

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        guard room != nil || all || !account.isEmpty else {
            throw ValidationError(
                """
                no room given (a name that begins with # needs quotes in a shell: '#example'); \
                "scrollback rooms" lists them, --all shows every room
                """)
        }
        try asUsage { try selection.validate() }
        _ = try anchor()
        guard !anchors.unread || room != nil else {
            throw ValidationError("--unread needs a ROOM; to list unread rooms: scrollback unread")
        }
        guard page.limit != .all || anchors.around == nil else { throw HistoryOutput.around }
        guard follow else { return }
        guard anchors.times.after != nil || anchors.unread else {
            throw ValidationError("--follow needs --after or --unread; to follow from now: scrollback tail -f")
        }
        guard anchors.times.before == nil else {
            throw ValidationError("--follow has no end; remove --before")
        }
        try HistoryOutput.validateFollowing(reader.format)
    }

    static let isReader = true

    func read() throws -> Bool {
        guard !follow else { return false }
        try showOnce()
        return true
    }

    func run() async throws {
        guard follow else { return try showOnce() }
        let (output, query, selected) = try open()
        try await output.follow(query, selected: selected)
    }

    /// Runs the command without ``follow``.
    func showOnce() throws {
        let (output, query, selected) = try open()
        let isFound =
            page.limit == .all
            ? try output.showAll(query, selected: selected) : try output.show(query, selected: selected)
        guard isFound else { throw output.reading.nothingFound }
    }

    private func open() throws -> (output: HistoryOutput, query: MessageQuery, selected: RoomSelection.Selected) {
        let reading = try reader.reading(cold: cold)
        var output = HistoryOutput(
            reading: reading, reader: reader, page: page, cold: cold, limit: try limit())
        let operation = page.history(selection, anchors.place)
        guard let (selected, start) = try operation.query(in: reading, reader.context) else {
            try output.showNothing(EmptyResult.noAccounts(folder: reading.folder))
            throw ExitCode.failure
        }
        let query = anchors.unread ? try output.openAtMarker(start) : start
        return (output, query, selected)
    }

    private func limit() throws -> PageLimit {
        try asUsage { try anchors.place.limit(zone: reader.zone, now: .now()) }
    }

    private var selection: RoomSelection {
        RoomSelection(room: room, accounts: account, all: all)
    }

    private func anchor() throws -> MessageQuery.Anchor {
        try anchors.anchor(zone: reader.zone, now: .now())
    }
}
