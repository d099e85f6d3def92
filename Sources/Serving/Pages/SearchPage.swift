import ChatModel
import Hummingbird
import Operations
import Options
import Reading
import Rendering
import SearchText

/// The hits of a search, with links to narrower searches.
struct SearchPage {
    let visit: PageVisit

    static let facets = Parameter("facets", .flag, "Count the hits by room, person and year.")
    static let room = Parameter("room", .text, "Only this room: NAME, ACCOUNT/NAME or its number.")

    private static let parameters =
        SearchOperation.parameters.filter { !["count", "by"].contains($0.name) } + [facets, room]

    /// The longest time for a regular expression, in seconds.
    static let seconds = 10
    /// The limit of reasons for an empty result.
    private static let reasonLimit = 5

    func response() throws -> Response {
        let parameters = try visit.parameters(Self.parameters)
        let address = try PageAddress(visit)
        guard parameters.text("q") != nil || parameters.text("regex") != nil else {
            let view = try view(parameters, address, zone: visit.zone)
            return visit.respond(view.page(.none, facets: ""))
        }
        do {
            return try answer(parameters, address)
        } catch let error as UsageError {
            let problem = Problem(error)
            let text = [problem?.detail, problem?.hint].compactMap(\.self).joined(separator: "; ")
            return try mistake(text, parameters, address)
        }
    }

    private func answer(_ parameters: OperationParameters, _ address: PageAddress) throws -> Response {
        var operation = try SearchOperation(parameters)
        operation.selection = RoomSelection(room: parameters.text("room"), accounts: parameters.texts("account"))
        let context = context(parameters)
        let view = try view(parameters, address, zone: context.zone)
        let isCold = parameters.has("cold")
        // Counting reads every hit, so a page counts only on request.
        let wantsFacets = parameters.has(Self.facets.name)
        let (isFragment, counted) = (parameters.has(PageVisit.fragment.name), operation)
        let limited = address.within(operation.pageLimit)
        let facets: HTML =
            !wantsFacets
            ? ""
            : try visit.site.readInPlace(as: visit.visitor, cold: isCold) { reading in
                try SearchFacets.find(counted, context, in: reading)
            }.html(parameters, limited)
        if wantsFacets, isFragment { return visit.respond(facets) }
        let result = try visit.site.readInPlace(as: visit.visitor, cold: isCold) { [operation] reading in
            try find(operation, context, in: reading)
        }
        return visit.respond(isFragment ? view.hits(result) : view.page(.found(result), facets: facets))
    }

    private func context(_ parameters: OperationParameters) -> OperationContext {
        parameters.has("utc") ? visit.site.context(zone: .gmt) : visit.context
    }

    private func view(_ parameters: OperationParameters, _ address: PageAddress, zone: Zone) throws
        -> SearchView
    {
        SearchView(
            parameters: parameters, address: address, zone: zone, copy: visit.copy, place: try place(parameters))
    }

    /// Returns the room or the accounts that the search is limited to; empty for a search everywhere.
    private func place(_ parameters: OperationParameters) throws -> String {
        let accounts = parameters.texts("account")
        guard let room = parameters.text("room") else { return accounts.joined(separator: ", ") }
        guard !parameters.has(PageVisit.fragment.name) else { return "" }
        do {
            let found = try visit.site.readInPlace(as: visit.visitor, cold: parameters.has("cold")) { reading in
                try RoomResolver.room(room, accounts: accounts, in: reading)
            }
            return "\(found.account)/\(found.name.isEmpty ? "(no name)" : found.name)"
        } catch is OperationError, is UsageError {
            // The answer has the error.
            return room
        }
    }

    private func mistake(
        _ text: String, _ parameters: OperationParameters, _ address: PageAddress
    ) throws -> Response {
        let view = try view(parameters, address, zone: visit.zone)
        var response = visit.respond(view.page(.mistake(text), facets: ""))
        response.status = .badRequest
        return response
    }

    private func find(
        _ operation: SearchOperation, _ context: OperationContext, in reading: ArchiveReading
    ) throws -> SearchResult {
        var result = SearchResult(
            highlighter: Highlighter(operation.query, operation.expression, until: .now + .seconds(Self.seconds)),
            order: operation.order, limit: operation.pageLimit)
        let report = RegexReport.ofRequest(seconds: Self.seconds)
        guard let (selected, run) = try operation.run(in: reading, context, report: report) else { return result }
        let query = try operation.pageQuery(selected.scope, in: reading, context)
        let (page, groups, notes) = try operation.page(run, query)
        result.page = page
        result.groups = groups
        result.notes =
            try operation.query.notes + notes.split(separator: "\n").map(String.init)
            + run.indexNotes(selected.scope)
        guard page.messages.isEmpty, page.older == nil, page.newer == nil else { return result }
        result.reasons = try EmptySearch(
            reading: reading, query: query, search: run.search, hasExpression: operation.expression != nil,
            gaps: page.gaps
        ).reasons(limit: Self.reasonLimit)
        if !operation.exactLetters {
            result.suggestions = try OtherForms(reading: reading, query: query, search: run.search)
                .suggestions(isEmpty: true)
        }
        return result
    }
}

/// The hits of a page, or the reasons why there are none.
struct SearchResult: Sendable {
    var highlighter: Highlighter
    var order: SearchOperation.Order
    /// The limits that the pages beside this one keep.
    var limit: PageLimit
    var page = Page(messages: [], older: nil, newer: nil, gaps: [])
    /// The hits with the messages around them; nil for hits alone.
    var groups: [HitGroup]?
    var notes: [String] = []
    /// The reasons for an empty result.
    var reasons: [String] = []
    var suggestions: [OtherForms.Suggestion] = []

    init(highlighter: Highlighter, order: SearchOperation.Order, limit: PageLimit) {
        (self.highlighter, self.order, self.limit) = (highlighter, order, limit)
    }
}
