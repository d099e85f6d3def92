import Archive
import ArgumentParser
import ChatModel
import SearchText

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find messages by what they say, who said it, where and when; the newest first.",
        discussion: """
            EXAMPLE: scrollback search deploy from:alice after:2026-10 -test

            All words have to match; also "a phrase", one OR other, -not, begin*, from:NAME, in:ROOM, has:link, before:TIME, \
            after:TIME and on:TIME. Of Korean, Japanese and Chinese any part of a word will do. docs/search.md tells more.
            """)

    enum Order: String, Sendable, CaseIterable, ExpressibleByArgument {
        case newest, oldest
    }

    enum Grouping: String, Sendable, CaseIterable, ExpressibleByArgument {
        case room, user, day
    }

    @Argument(help: ArgumentHelp("What to look for.", valueName: "word"))
    var words: [String]

    @Option(
        name: .shortAndLong, help: "Only in an account; may be repeated.",
        completion: ArchiveNames.accountCompletion)
    var account: [String] = []

    @Option(help: "Which hits come first; a page itself is in order of time.")
    var sort = Order.newest

    @Option(help: ArgumentHelp("What was found before: a cursor or a time.", valueName: "time"))
    var before: String?

    @Option(help: ArgumentHelp("What was found after: a cursor or a time.", valueName: "time"))
    var after: String?

    @Flag(help: "Only how many there are.")
    var count = false

    @Option(help: "How many there are of each room, user or day.")
    var by: Grouping?

    @OptionGroup(title: "Page") var page: PageOptions
    @OptionGroup var reader: ReaderOptions

    mutating func validate() throws {
        try selection.validate()
        _ = try anchor()
    }

    func run() async throws {
        let archive = try reader.archive()
        let query = SearchQuery(parsing: words.joined(separator: " "), isTime: times.isTime)
        note(query)
        guard !query.isEmpty else { throw ValidationError("there is nothing to look for in that") }
        guard let selected = try await selection.resolve(in: archive) else {
            return StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
        let search = times.scope(query)
        if count || by != nil { return try await tally(search, selected.scope, archive) }
        let asked = try page.query(scope: selected.scope, anchor: try anchor())
        let found = try await archive.page(asked, matching: search)
        var renderer = renderer(query)
        try reader.write(renderer.render(found))
        if found.messages.isEmpty {
            StandardStream.note(EmptyResult.nothingFound(folder: archive.folder))
            // Of a page behind the last there is nothing to explain.
            let isFirst = before == nil && after == nil
            let reasons = EmptySearch(archive: archive, query: asked, search: search)
            for reason in isFirst ? try await reasons.reasons() : [] { StandardStream.note("\(reason)\n") }
        }
        try await noteUnindexed(archive)
    }

    private func tally(_ search: SearchScope, _ scope: MessageQuery.Scope, _ archive: Archive) async throws {
        let grouping: HitGrouping =
            switch by {
            case nil: .all
            case .room: .room
            case .user: .user
            case .day: .day(reader.zone)
            }
        let counts = try await archive.count(scope: scope, matching: search, by: grouping)
        if by == nil, reader.format == .text {
            try StandardStream.output.write("\(counts.first?.count ?? 0)\n")
        } else {
            try reader.write(counts, as: .hits(chart: reader.width != nil ? counts.map(\.count).max() : nil))
        }
        try await noteUnindexed(archive)
    }

    private func noteUnindexed(_ archive: Archive) async throws {
        for behind in try await archive.unindexed() where account.isEmpty || account.contains(behind.account) {
            // One that was damaged has nothing.
            let reach = behind.from.microseconds == .max ? "no message is" : "only messages from \(behind.from) on are"
            StandardStream.note(
                """
                \(Sanitizer.line(behind.account)): \(reach) in the index yet; "scrollback reindex" brings in the rest\n
                """)
        }
    }

    private func renderer(_ query: SearchQuery) -> HistoryRenderer {
        let (matcher, style) = (Matcher(query), reader.style)
        var text = TextRenderer(
            time: LocalTime(zone: reader.zone), style: style, now: .now(),
            options: TextRenderer.Options(showsRooms: true, showsIDs: page.ids, unfolds: page.unfold),
            width: { Terminal.standardOutput?.width() })
        if style.isColored { text.matches = { matcher.ranges(in: $0) } }
        let given = account.flatMap { ["-a", $0] } + page.given + reader.given
        // A word may look like an option.
        let isPlain = !words.contains { $0.hasPrefix("-") }
        return HistoryRenderer(
            format: reader.format, text: text,
            nextCommand: NextCommand(
                subject: isPlain ? words : [], options: given + (isPlain ? [] : ["--"] + words), command: "search"))
    }

    /// What was passed over, for whoever wonders.
    private func note(_ query: SearchQuery) {
        if !query.ignored.isEmpty {
            StandardStream.note(
                "ignored, as nothing is found by it: \(Sanitizer.line(query.ignored.joined(separator: " ")))\n")
        }
        if query.isCut { StandardStream.note("the query is longer than is read: its end is ignored\n") }
    }

    private var times: SearchTimes {
        SearchTimes(zone: reader.zone, now: .now())
    }

    private var selection: RoomSelection {
        RoomSelection(room: nil, accounts: account, all: account.isEmpty)
    }

    private func anchor() throws -> MessageQuery.Anchor {
        guard before == nil || after == nil else {
            throw ValidationError("--before and --after exclude each other: give one")
        }
        func time(_ text: String) throws -> TimeArgument {
            try TimeArgument(option: text, zone: reader.zone, now: .now())
        }
        if let before { return .before(try time(before).before) }
        if let after { return .after(try time(after).after) }
        return sort == .newest ? .latest : .oldest
    }
}
