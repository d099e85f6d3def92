import ChatModel
import Operations
import Options
import Reading
import Rendering
import SearchText

struct SearchCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find messages by text, sender, room and time (default: the newest hits).",
        discussion: """
            EXAMPLE: scrollback search deploy from:alice after:2026-10 -test

            All words must match. Also: "a phrase", one OR other, NOT this, -this, (groups), begin*, from:NAME, from:BEGIN*, in:ROOM, \
            has:link, is:reply, before:TIME, after:TIME, on:DAY. "server down OR slow" means: server AND (down OR slow). In Korean, \
            Japanese, Chinese and Thai, any part of a word matches. "man scrollback" names the page with the rules, search.md.
            Exit status: 0 found, 1 nothing found, 2 failed, or nothing found and an account could not be read.

            --sort relevance shows the best hits of any time; it has no further pages.
            """)

    @Argument("word", help: "The query.", takesUnknownOptions: true)
    var words: [String] = []

    @OptionGroup var accounts: AccountsOption

    @OptionGroup var regex: RegexOptions

    @Flag(.exactLetters)
    var exactLetters = false

    @Option(.hitOrder)
    var sort: SearchOperation.Order?

    @OptionGroup var timeOptions: TimeOptions

    @Option(.hitsBetween)
    var between: [String] = []

    @Flag(.count)
    var count = false

    @Flag("i", help: "Ignored: words match in any case.")
    var ignoresCase = false

    @Option(.by, transform: SearchOperation.Groupings.init(parameter:))
    var by: SearchOperation.Groupings?

    @OptionGroup(title: "Context") var context: ContextOptions
    @OptionGroup(title: "Page") var page: PageOptions
    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        let operation = try asUsage { try self.operation() }
        guard !words.isEmpty || regex.regex != nil || operation.countsHits else {
            throw ValidationError("missing expected argument '<word> ...', or --regex\(adviceOnTimes)")
        }
        guard !exactLetters || operation.query.hasExactLetters else {
            throw ValidationError(
                "--exact-letters needs a phrase in quotes, which a shell removes; for example: scrollback search '\"maße\"' "
                    + "--exact-letters")
        }
        guard !ignoresCase || regex.regex == nil else {
            throw ValidationError("-i does not change --regex: begin the pattern with (?i)")
        }
        guard !operation.countsHits || optionsForHits.isEmpty else {
            let counting = by == nil ? "--count" : "--by"
            throw ValidationError("\(counting) shows no messages; remove \(optionsForHits.joined(separator: ", "))")
        }
        try asUsage {
            try operation.validateTimes(reader.context)
            try operation.validate()
        }
    }

    func run() throws {
        let reading = try reader.reading(cold: cold)
        let (operation, now) = (try operation(), reader.context)
        let query = operation.query
        for note in query.notes { StandardStream.note("\(note)\n") }
        guard let (selected, run) = try operation.run(in: reading, now, report: regex.report) else {
            StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
            throw ExitCode.failure
        }
        if operation.countsHits { return try tally(operation, run, selected.scope) }
        let pageQuery = try operation.pageQuery(selected.scope, in: reading, now)
        let renderer = renderer(operation, run.expression)
        let isFound =
            try page.limit == .all
            ? showAll(operation, run, pageQuery, renderer) > 0
            : showPage(operation, run, pageQuery, renderer)
        try noteUnindexed(run, selected.scope)
        if !isFound { throw reading.nothingFound }
    }

    /// The command that shows all messages of the given times; empty without times.
    private var adviceOnTimes: String {
        let times =
            (between.count == 2 ? ["--between"] + between : []) + (timeOptions.after.map { ["--after", $0] } ?? [])
            + (timeOptions.before.map { ["--before", $0] } ?? [])
        let place = accounts.account.isEmpty ? ["--all"] : accounts.account.flatMap(NextCommand.account)
        return times.isEmpty ? "" : "; for all messages of that time: \(NextCommand.line(["history"] + place + times))"
    }

    /// The given options that only shown hits can follow. Rows of counts follow `-n`, too.
    private var optionsForHits: [String] {
        (sort ?? .newest == .newest ? [] : ["--sort"])
            + (context.given + page.given).filter { $0.hasPrefix("-") && (by == nil || $0 != "-n") }
    }

    private func operation() throws -> SearchOperation {
        var operation = SearchOperation(
            text: words.joined(separator: " "), selection: accounts.selection(room: nil))
        operation.bounds = timeOptions.bounds
        (operation.expression, operation.exactLetters) = (try regex.expression(), exactLetters)
        (operation.order, operation.isCount, operation.groupings) = (sort ?? .newest, count, by)
        try operation.limit(between: between, keepsOrder: sort != nil, zone: reader.zone)
        operation.context = context.wanted
        operation.limit = page.limit
        operation.hides = page.hidden
        operation.names = page.names
        return operation
    }

    /// Shows a page of hits, and explains why it is empty if it is.
    ///
    /// - Returns: False if the page has no hit.
    private func showPage(
        _ operation: SearchOperation, _ run: SearchRun, _ query: MessageQuery, _ renderer: HistoryRenderer
    ) throws -> Bool {
        let (found, groups, notes) = try operation.page(run, query)
        var renderer = renderer
        let rendered = renderer.render(hits: found, groups: groups) + Rendered(notes: notes)
        // The newest hit is the last one.
        try reader.write(rendered, at: operation.order == .newest ? .end : .start)
        if found.messages.isEmpty { StandardStream.note(EmptyResult.nothingFound(folder: run.reading.folder)) }
        // A later page may be empty without a reason to explain.
        if operation.bounds.both != nil || timeOptions.before == nil && timeOptions.after == nil {
            try explain(isEmpty: found.messages.isEmpty, gaps: found.gaps, operation, run, query)
        }
        return !found.messages.isEmpty
    }

    /// The limit of lines that explain a page: more are not read.
    private static let explanationLimit = 3

    /// Reports the forms of the words that have other hits, and the reasons for an empty answer.
    private func explain(
        isEmpty: Bool, gaps: [Gap], _ operation: SearchOperation, _ run: SearchRun, _ query: MessageQuery
    ) throws {
        let reasons = EmptySearch(
            reading: run.reading, query: query, search: run.search, hasExpression: run.expression != nil, gaps: gaps)
        let forms = OtherForms(reading: run.reading, query: query, search: run.search)
        let notes = try !run.testsHits ? forms.notes(isEmpty: isEmpty) { command($0, operation) } : []
        let all = try notes + (isEmpty ? reasons.reasons(limit: Self.explanationLimit - notes.count) : [])
        for note in all { StandardStream.note("\(note)\n") }
    }

    /// Explains a count of 0 as an empty page. Shows no gaps if each hit is tested, which would be done with all messages
    /// again to find them.
    private func explainZero(
        _ operation: SearchOperation, _ run: SearchRun, _ scope: MessageQuery.Scope
    ) throws {
        let query = try operation.pageQuery(scope, in: run.reading, reader.context)
        let gaps = !run.testsHits ? try run.page(query).page.gaps : []
        try explain(isEmpty: true, gaps: gaps, operation, run, query)
    }

    private func tally(_ operation: SearchOperation, _ run: SearchRun, _ scope: MessageQuery.Scope) throws {
        let (counts, notes) = try operation.counts(run, scope, zone: reader.zone)
        StandardStream.note(notes)
        if by == nil, reader.format == .text {
            try StandardStream.output.write("\(counts.first?.count ?? 0)\n")
        } else if let by, reader.format == .text,
            let table = CrossTable(counts, by: by.names, of: operation.counted, width: reader.width)
        {
            try reader.write(Rendered(output: table.text(style: reader.style)))
        } else {
            let listing = operation.listing(
                chart: reader.width != nil ? counts.map(\.count).max() : nil, among: counts)
            try reader.write(counts, as: listing, leftOut: run.reading.skipped)
        }
        let isEmpty = counts.allSatisfy { $0.count == 0 }
        if isEmpty { try explainZero(operation, run, scope) }
        if !words.isEmpty { try noteUnindexed(run, scope) }
        if isEmpty { throw run.reading.nothingFound }
    }

    private func noteUnindexed(_ run: SearchRun, _ scope: MessageQuery.Scope) throws {
        for note in try run.indexNotes(scope) { StandardStream.note("\(note)\n") }
    }

    private func renderer(_ operation: SearchOperation, _ expression: RegularExpression?) -> HistoryRenderer {
        let (style, both) = (reader.style, operation.bounds.both)
        let highlighter = Highlighter(operation.query, expression)
        let order = operation.pageLimit.order.map { ["--sort", $0] } ?? []
        var text = TextRenderer(
            time: LocalTime(zone: reader.zone), style: style, now: .now(),
            options: TextRenderer.Options(
                showsRooms: true, showsIDs: page.ids, unfolds: page.unfold, marksHits: context.isWanted,
                isOneLine: page.isOneLine),
            width: { Terminal.standardOutput?.width() })
        if style.isColored { text.matches = highlighter.ranges }
        // A word with `-` may look like an option.
        let isPlain = !words.contains { $0.hasPrefix("-") }
        return HistoryRenderer(
            format: reader.format, text: text,
            nextCommand: NextCommand(
                subject: isPlain ? words : [], options: order + given + (isPlain ? [] : ["--"] + words),
                command: "search", after: both?.after, before: both?.before), ranges: highlighter.ranges)
    }

    /// The given options, to repeat in a suggested command.
    private var given: [String] {
        accounts.account.flatMap(NextCommand.account) + regex.given
            + (exactLetters ? ["--exact-letters"] : []) + context.given + page.given + cold.given
            + reader.given
    }

    /// Returns the command for another query, with the given options.
    private func command(_ query: SearchQuery, _ operation: SearchOperation) -> String {
        let both = operation.bounds.both.map { ["--after", $0.after, "--before", $0.before] } ?? []
        return NextCommand.line(["search", query.written] + both + given)
    }
}
