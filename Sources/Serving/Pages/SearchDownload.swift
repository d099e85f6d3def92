import ChatModel
import FoundationEssentials
import Hummingbird
import Operations
import Options
import Reading
import Rendering
import SearchText

/// All hits of a search as a file, without the messages around them.
struct SearchDownload {
    let visit: PageVisit

    /// The parameters of a page that a file does not have: it has all hits, in the order of time. A regular expression may
    /// leave messages untested, of which a file could not tell.
    private static let ofPages: Set = [
        "sort", "count", "by", "before-context", "after-context", "context", "limit", "facets", "regex",
    ]
    private static let parameters =
        SearchOperation.parameters.filter { !ofPages.contains($0.name) } + [SearchPage.room, Download.format]

    func response() throws -> Response {
        let parameters = try visit.parameters(Self.parameters)
        var operation = try SearchOperation(parameters)
        operation.selection = RoomSelection(room: parameters.text("room"), accounts: parameters.texts("account"))
        (operation.order, operation.limit) = (.oldest, .all)
        let zone = parameters.has("utc") ? .gmt : visit.zone
        let (visit, context, isCold) = (visit, visit.site.context(zone: zone), parameters.has("cold"))
        let report = RegexReport.ofRequest(seconds: SearchPage.seconds)
        let search: @Sendable (ArchiveReading) throws -> (RoomSelection.Selected, SearchRun)? = {
            [operation] reading in try operation.run(in: reading, context, report: report)
        }
        let query = try visit.site.readInPlace(as: visit.visitor, cold: isCold) { [operation] reading in
            // Without a scope, the archive has no account.
            guard let scope = try search(reading)?.0.scope else { throw Problem.notFound }
            return try MessageQuery(
                scope: scope, anchor: .oldest, limit: Download.pageSize,
                hidden: context.hidden(operation.hides, in: reading), names: operation.names)
        }
        let download = Download(
            visit: visit, format: parameters.choice("format") ?? .text, zone: zone,
            title: "search " + operation.text, areHits: true, ranges: Highlighter(operation.query).ranges,
            isCold: isCold
        ) { reading, query in
            guard let run = try search(reading)?.1 else { throw Problem.notFound }
            return try run.page(query).page
        }
        return try download.response(query)
    }

    /// Returns the links of a search's page; empty for a regular expression.
    ///
    /// - Parameter address: The page's address, with the time of the search.
    static func links(_ address: PageAddress) -> HTML {
        guard !address.items.contains(where: { $0.name == "regex" }) else { return "" }
        let path = HTMLAddress.local("/search/download")
        let kept = PageAddress(path: path, items: address.items.filter { !ofPages.contains($0.name) })
        let links = Download.Format.allCases.map { format -> HTML in
            "<a href=\"\(kept.with("format", format.rawValue))\">\(format.words)</a>"
        }
        return "<p class=\"bar\"><span>Download all hits:</span>\(links.joined())</p>\n"
    }
}
