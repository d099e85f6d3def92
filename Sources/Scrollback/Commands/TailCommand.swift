import ChatModel
import Operations
import Options
import Reading
import Rendering
import SearchText

struct TailCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Show the last messages of a room or of all rooms; with -f, follow new ones.",
        discussion: """
            EXAMPLE: scrollback tail -f -n 10

            With -f, what names no room may be a query of "scrollback search": scrollback tail -f 'from:alice server'. \
            --feed prints every change, for programs that keep a copy. "man scrollback" names the pages: alerts.md, feed.md.
            """)

    @Argument(.room)
    var room: String?

    @Option(.accountsOfRoom)
    var account: [String] = []

    @Flag("follow", short: "f", help: "Show each new message as it is stored, until interrupted.")
    var follow = false

    @Option("query", short: "q", help: "With -f, show only messages that match, as search does.", valueName: "query")
    var query: String?

    @Flag("new", help: "With -f, show no earlier messages.")
    var new = false

    @Flag("feed", help: "Print every change of the archive, with -f further ones as they come.")
    var feed = false

    @Option(.position, transform: Self.position)
    var after: FeedPosition?

    @OptionGroup(title: "Page") var page: PageOptions
    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try asUsage { try selection.validate() }
        if cold.cold, follow || feed {
            throw ValidationError(
                "--cold shows the last messages only; to follow an account: scrollback archive restore")
        }
        if feed { return try validateFeed() }
        guard after == nil else {
            throw ValidationError("--after needs --feed; to follow messages from a time: scrollback history --after")
        }
        guard follow else {
            guard query == nil else { throw ValidationError("--query needs -f; to find messages: scrollback search") }
            guard !new else { throw ValidationError("--new needs -f") }
            return
        }
        try HistoryOutput.validateFollowing(reader.format)
        guard page.limit != .all || query == nil && !new else {
            throw ValidationError("-n all shows every earlier message; remove it, or --query and --new")
        }
        _ = try query.map { try Search($0, zone: reader.zone) }
    }

    func run() async throws {
        let reading = try reader.reading(cold: follow || feed ? nil : cold)
        if feed { return try await printFeed(of: reading) }
        let output = HistoryOutput(reading: reading, reader: reader, page: page, cold: cold)
        let (selected, text) = try resolve(in: reading)
        guard let selected else { return try output.showNothing(EmptyResult.noAccounts(folder: reading.folder)) }
        let isAll = page.limit == .all
        let query = try page.query(
            scope: selected.scope, anchor: isAll && follow ? .after(MessageID(microseconds: .min)) : .latest,
            in: reading, reader.context)
        if let text {
            let search = try Search(text, zone: reader.zone).scope(of: selected.scope.accounts, in: reading)
            try await output.follow(query, selected: selected, matching: search, skipsHistory: new)
        } else if follow {
            try await output.follow(query, selected: selected, skipsHistory: new)
        } else if isAll {
            try output.showAll(query, selected: selected, isPaged: false)
        } else {
            // Uses no pager, so that the newest message is directly above the prompt.
            try output.show(query, selected: selected, isPaged: false)
        }
    }

    var selection: RoomSelection { selection(room: room) }

    private func selection(room: String?) -> RoomSelection {
        RoomSelection(room: room, accounts: account)
    }

    /// Returns the selected rooms, and the query to follow. The argument is a room, or a query that can't be the
    /// misspelt name of one: it has several words or a condition.
    private func resolve(in reading: ArchiveReading) throws -> (RoomSelection.Selected?, query: String?) {
        do {
            return (try selection.resolve(in: reading), query)
        } catch let error as OperationError where error.code == .unknownRoom {
            guard follow, query == nil, let room else { throw error }
            let terms = SearchQuery(parsing: room).leaves
            let isCondition = terms.contains { if case .word = $0 { false } else { true } }
            guard isCondition || terms.count > 1 else { throw error }
            if !isCondition {
                StandardStream.note("no room \"\(Sanitizer.line(room))\"; following messages that match it\n")
            }
            return (try selection(room: nil).resolve(in: reading), room)
        }
    }

    /// A query whose times can be read.
    private struct Search {
        private let times: SearchScope

        /// - Throws: ``ValidationError`` for a query without conditions, and for a time that can't be read.
        init(_ text: String, zone: Zone) throws {
            let query = SearchQuery(parsing: text)
            guard !query.isEmpty else { throw ValidationError("the query has no searchable word") }
            times = try asUsage { try SearchTimes(zone: zone, now: .now()).scope(query) }
        }

        func scope(of accounts: [String], in reading: ArchiveReading) throws -> SearchScope {
            for note in times.query.notes { StandardStream.note("\(note)\n") }
            var scope = times
            scope.rooms = try RoomResolver.rooms(named: scope.query, of: accounts, in: reading)
            return scope
        }
    }
}
