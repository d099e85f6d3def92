import ChatModel
import Operations
import Reading
import Rendering

/// The numbers of hits by room, person and year, each a link to the narrower search.
struct SearchFacets: Sendable {
    private var groups: [(grouping: SearchOperation.Grouping, counts: [HitCount])] = []

    /// The limit of rows of each grouping.
    private static let limit = 12

    static func find(
        _ operation: SearchOperation, _ context: OperationContext, in reading: ArchiveReading
    ) throws -> SearchFacets {
        var facets = SearchFacets()
        for grouping in [SearchOperation.Grouping.room, .user, .year] {
            var operation = operation
            (operation.groupings, operation.limit, operation.context) = (.init(grouping), nil, nil)
            operation.order = .newest
            // These bounds belong to the page only.
            if operation.bounds.both == nil { operation.bounds = TimeBounds() }
            let report = RegexReport.ofRequest(seconds: 10)
            guard let (selected, run) = try operation.run(in: reading, context, report: report) else { continue }
            let counts = try operation.counts(run, selected.scope, zone: context.zone, named: Self.limit).counts
            facets.groups.append((grouping, counts))
        }
        return facets
    }

    /// - Parameter address: The search's address.
    func html(_ parameters: OperationParameters, _ address: PageAddress) -> HTML {
        let text = parameters.text("q") ?? ""
        let kept = address.without("q").without("before").without("after")
        let lists = groups.filter { !$0.counts.isEmpty }.map { grouping, counts -> HTML in
            let shown =
                grouping == .year ? Array(counts.reversed().prefix(Self.limit)) : Array(counts.prefix(Self.limit))
            let items = shown.map { Self.item($0, grouping, text, kept) }.joined()
            let rest = counts.count - shown.count
            return "<h2>\(Self.title(grouping))</h2>\n<ul>\n\(items)</ul>\n"
                + (rest > 0 ? "<small>and \(rest.grouped) more</small>\n" : "")
        }
        let total = (groups.first?.counts ?? []).reduce(0) { $0 + $1.count }
        return
            "<aside class=\"facets\" aria-label=\"Narrow the search\">\n<p><b>\(total.of("hit"))</b></p>\n\(lists.joined())</aside>\n"
    }

    private static func title(_ grouping: SearchOperation.Grouping) -> String {
        switch grouping {
        case .room: "Rooms"
        case .user: "People"
        default: "Years"
        }
    }

    private static func item(
        _ count: HitCount, _ grouping: SearchOperation.Grouping, _ text: String, _ kept: PageAddress
    ) -> HTML {
        let name = count.name ?? ""
        let words: HTML =
            "<bdi>\(HTMLText.name(name.isEmpty ? "(no name)" : name))</bdi><small>\(count.count.grouped)</small>"
        guard let condition = condition(count, grouping) else { return "<li><span>\(words)</span></li>\n" }
        let query = text.isEmpty ? condition : "\(text) \(condition)"
        return "<li><a href=\"\(kept.with("q", query))\">\(words)</a></li>\n"
    }

    /// Returns the condition of the query language; nil for a name that can't be written in it.
    private static func condition(_ count: HitCount, _ grouping: SearchOperation.Grouping) -> String? {
        guard let name = count.name, !name.isEmpty, !name.contains("\"") else { return nil }
        return switch grouping {
        case .room: "in:\"\(count.account.map { "\($0)/" } ?? "")\(name)\""
        case .user: "from:\"\(name)\""
        default: "on:\(name)"
        }
    }
}
