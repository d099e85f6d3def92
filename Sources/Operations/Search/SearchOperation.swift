package import ChatModel
package import Options
package import Reading
package import Rendering
package import SearchText

/// A page of hits, or their numbers.
package struct SearchOperation: ArchiveOperation {
    package enum Order: String, Sendable, CaseIterable {
        case newest, oldest, relevance
    }

    package enum Grouping: String, Sendable, CaseIterable {
        case room, user, year, month, day, weekday, hour
    }

    /// The numbers of messages around each hit; nil for hits alone.
    package struct Context: Sendable, Hashable {
        package var before: Int
        package var after: Int

        package init(before: Int, after: Int) {
            (self.before, self.after) = (before, after)
        }

        /// The range of messages on each side of a hit: a page of 1,000 hits has 201,000 messages at most.
        package static let limits = 0...100
    }

    package var text: String
    package var selection: RoomSelection
    package var bounds = TimeBounds()
    package var expression: RegularExpression?
    /// True if the letters of phrases count as they are written.
    package var exactLetters = false
    package var order = Order.newest
    package var isCount = false
    package var groupings: Groupings?
    package var context: Context?
    /// The number of hits, or of rows of counts; nil for the usual number of hits, and for all rows.
    package var limit: MessageLimit?
    package var hides: Set<HiddenMessages.Choice> = []
    package var names = MessageQuery.Names.then

    package init(text: String, selection: RoomSelection) {
        (self.text, self.selection) = (text, selection)
    }

    package static let parameters: [Parameter] = [
        Parameter(
            "q", .text,
            "The query: words, phrases, from:, in:, after:, before:, as search takes it; empty for all messages."),
        .accounts,
        .after, .before, .hitsBetween, .hitOrder, .count, .by, .beforeContext, .afterContext, .context, .regex,
        .exactLetters,
        .limit, .hide, .names,
        .cold,
    ]

    package init(_ parameters: OperationParameters) throws {
        self.init(
            text: parameters.text("q") ?? "", selection: RoomSelection(room: nil, accounts: parameters.texts("account"))
        )
        bounds = parameters.bounds
        expression = try parameters.text("regex").map(Self.expression)
        exactLetters = parameters.has("exact-letters")
        order = parameters.choice("sort") ?? .newest
        try limit(
            between: parameters.texts("between"), keepsOrder: parameters.text("sort") != nil, zone: parameters.zone)
        (isCount, groupings) = (parameters.has("count"), try parameters.text("by").map(Self.groupings))
        let around = parameters.number("context")
        if let before = parameters.number("before-context") ?? around
            ?? parameters.number("after-context").map({ _ in 0 })
        {
            context = Context(before: before, after: parameters.number("after-context") ?? around ?? 0)
        }
        limit = parameters.number("limit").map(MessageLimit.count)
        hides = parameters.hidden
        names = parameters.choice("names") ?? .then
        guard parameters.isGiven("q") || expression != nil || countsHits else { throw UsageError("--q is missing") }
        try validate()
    }

    private static func groupings(_ text: String) throws -> Groupings {
        do {
            return try Groupings(parameter: text)
        } catch let error as UsageError {
            throw UsageError("--by \"\(Sanitizer.value(text))\": \(error.message)")
        }
    }

    /// Limits the search to the time between two places. Shows the hits from the first towards the second.
    ///
    /// - Parameters:
    ///   - places: Two times in any order, or none.
    ///   - keepsOrder: True to show the hits in the present order.
    /// - Throws: ``UsageError`` for texts that are not two different times, and if the search has other bounds.
    package mutating func limit(
        between places: [String], keepsOrder: Bool, zone: Zone, now: Timestamp = .now()
    ) throws {
        guard !places.isEmpty else { return }
        guard bounds == TimeBounds() else {
            let other = bounds.after == nil ? "--before" : "--after"
            throw UsageError("\(other) and --between can't be combined; give one")
        }
        bounds = try TimeBounds(between: places, zone: zone, now: now)
        if !keepsOrder { order = bounds.after == places[0] ? .oldest : .newest }
    }

    /// The limits that the pages beside a page keep.
    package var pageLimit: PageLimit {
        var limit = PageLimit(bounds)
        if bounds.both != nil, order == .oldest { limit.order = order.rawValue }
        return limit
    }

    /// Reads a regular expression.
    ///
    /// - Throws: ``UsageError`` for a text that is none.
    package static func expression(_ text: String) throws -> RegularExpression {
        do {
            return try RegularExpression(text)
        } catch {
            let place = error.before.isEmpty ? "" : " after \"\(Sanitizer.value(upTo: error.before))\""
            throw UsageError(
                OperationError(
                    .badRegex, "--regex \"\(Sanitizer.value(text))\": \(error.detail)\(place)",
                    hint: "without --regex, words are literal"))
        }
    }

    /// - Throws: ``UsageError`` for parameters that can't be combined.
    package func validate() throws {
        try selection.validate()
        if limit == .all, groupings == nil {
            guard order != .relevance else {
                throw UsageError("--sort relevance shows at most 1000 hits; replace -n all with a number")
            }
            guard context == nil else {
                throw UsageError("-n all shows hits alone; remove -A, -B and -C, or replace -n all with a number")
            }
        }
        guard order != .relevance || expression == nil else {
            throw UsageError("--sort relevance ranks words, and --regex has none; remove one of them")
        }
        guard order != .relevance || !exactLetters else {
            throw UsageError("--sort relevance ranks words in any spelling, unlike --exact-letters; remove one of them")
        }
        guard !exactLetters || query.hasExactLetters else {
            throw UsageError("--exact-letters needs a phrase in quotes in the query, such as \"maße\"")
        }
    }

    /// Checks the times of the options and of the query.
    ///
    /// - Throws: ``UsageError`` for a text that is not a time.
    package func validateTimes(_ context: OperationContext) throws {
        _ = try (anchor(context), times(context).scope(query))
    }

    package var query: SearchQuery { SearchQuery(parsing: text, exactLetters: exactLetters) }

    /// True to count hits instead of showing them.
    package var countsHits: Bool { isCount || groupings != nil }

    /// Returns the selected rooms and the search; nil if the archive has no account.
    package func run(
        in reading: ArchiveReading, _ context: OperationContext, report: RegexReport
    ) throws -> (selected: RoomSelection.Selected, run: SearchRun)? {
        let query = query
        guard !query.isEmpty || expression != nil || text.isEmpty else {
            throw UsageError("the query has no searchable word")
        }
        if order == .relevance, !query.wanted.contains(where: { $0.text != nil }) {
            throw UsageError("--sort relevance needs a word to rank by")
        }
        guard let selected = try selection.resolve(in: reading) else { return nil }
        let search = try scope(query, of: selected.scope.accounts, in: reading, context)
        return (selected, SearchRun(reading: reading, search: search, expression: expression, report: report))
    }

    package func pageQuery(
        _ scope: MessageQuery.Scope, in reading: ArchiveReading, _ context: OperationContext
    ) throws -> MessageQuery {
        try MessageQuery(
            scope: scope, anchor: anchor(context), limit: limit?.page ?? MessageQuery.defaultLimit,
            hidden: context.hidden(hides, in: reading), names: names)
    }

    /// Returns a page of hits with the messages around them, and notes on hits that it may lack.
    package func page(
        _ run: SearchRun, _ query: MessageQuery
    ) throws -> (page: Page, groups: [HitGroup]?, notes: String) {
        let (found, notes) = try order == .relevance ? (mostRelevant(run, query), "") : run.page(query)
        guard let context else { return (found, nil, notes) }
        let groups = try run.reading.search.context(
            of: found.messages, query, before: context.before, after: context.after)
        return (found, groups, notes)
    }

    private func mostRelevant(_ run: SearchRun, _ query: MessageQuery) throws -> Page {
        do {
            return try run.reading.search.mostRelevant(query, matching: run.search)
        } catch is TooManyWords {
            throw UsageError(
                "too many words have the part for --sort relevance; add letters between the stars, or remove --sort")
        }
    }

    /// Returns the numbers of hits, and notes on hits that are not counted.
    ///
    /// - Parameter people: The number of people whose names are wanted, from the highest count down; nil for all. Those after
    ///   them may have no name.
    package func counts(
        _ run: SearchRun, _ scope: MessageQuery.Scope, zone: Zone, named people: Int? = nil
    ) throws -> (counts: [HitCount], notes: String) {
        var (counts, notes) = try run.counts(
            scope, by: groupings?.hits(in: zone) ?? .all, named: people ?? limit?.count)
        // Shows the last times, as a page shows the last messages; other counts begin with the highest.
        if let rows = limit?.count { counts = groupings?.kept(rows, of: counts) ?? counts }
        return (counts, notes)
    }

    /// The list of the numbers.
    ///
    /// - Parameters:
    ///   - chart: The highest number, to draw bars; nil for none.
    ///   - all: The numbers, to show which ones are of namesakes.
    package func listing(chart: Int64? = nil, among all: [HitCount] = []) -> Listing<HitCount> {
        guard let groupings, groupings.all.count > 1 else {
            return HitCount.listing(by: groupings?.names[0] ?? "", of: counted, chart: chart, among: all)
        }
        return HitCount.crossListing(by: groupings.names, of: counted)
    }

    /// The heading of the numbers.
    package var counted: String { text.isEmpty && expression == nil ? "MESSAGES" : "HITS" }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        let report = RegexReport.ofRequest(seconds: Self.requestSeconds)
        let highlighter = Highlighter(query, expression, until: .now + .seconds(Self.requestSeconds))
        guard let (selected, run) = try run(in: reading, context, report: report) else {
            return OperationAnswer(Page(messages: [], older: nil, newer: nil, gaps: []))
        }
        guard !countsHits else {
            let counts = try counts(run, selected.scope, zone: context.zone).counts
            return OperationAnswer(counts, as: listing(), leftOut: reading.skipped)
        }
        let (page, groups, _) = try page(run, pageQuery(selected.scope, in: reading, context))
        var answer = OperationAnswer(page, groups: groups, ranges: highlighter.ranges)
        answer.limit = pageLimit
        return answer
    }

    /// The longest time for a regular expression of a request, in seconds: a request holds one of few places.
    private static let requestSeconds = 10

    private func times(_ context: OperationContext) -> SearchTimes {
        SearchTimes(zone: context.zone, now: context.now)
    }

    /// Returns the query's scope, within the bounds unless one of them alone begins a page, which has pages on both
    /// sides.
    private func scope(
        _ query: SearchQuery, of accounts: [String], in reading: ArchiveReading, _ context: OperationContext
    ) throws -> SearchScope {
        var scope = try times(context).scope(query)
        scope.rooms = try RoomResolver.rooms(named: query, of: accounts, in: reading)
        let isPage = !countsHits && order != .relevance && limit != .all
        guard bounds.both != nil || !isPage else { return scope }
        let ids = try bounds.ids(zone: context.zone, now: context.now)
        if let after = ids.after { scope.after = max(scope.after ?? after, after) }
        if let before = ids.before { scope.before = min(scope.before ?? before, before) }
        return scope
    }

    /// Returns the end from which the page is read: with one bound that bound, else the end that comes first.
    private func anchor(_ context: OperationContext) throws -> MessageQuery.Anchor {
        let ids = try bounds.ids(zone: context.zone, now: context.now)
        guard limit != .all else { return order == .oldest ? .oldest : .latest }
        return switch ids {
        case (nil, let before?): .before(before)
        case (let after?, nil): .after(after)
        default: order == .oldest ? .oldest : .latest
        }
    }
}
