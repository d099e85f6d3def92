import Archive
import ChatModel
import HTTPTypes
import Hummingbird
import Operations
import Options
import Reading
import Rendering

/// A request for a page: the reader, the reader's zone, and the parameters.
struct PageVisit: Sendable {
    let site: Site
    let request: Request
    let visitor: Visitor
    /// The zone of the times on the page.
    let zone: Zone
    /// The age of the oldest copy that the reader may see; nil for a data folder.
    let copy: AccountCopyAge?

    init(_ request: Request, _ context: ServeContext, site: Site) throws {
        let visitor = try context.known()
        (self.site, self.request, self.visitor) = (site, request, visitor)
        zone = ReaderZone.zone(of: request.headers) ?? .current
        copy =
            site.source.folder == nil ? try site.readInPlace(as: visitor) { try $0.oldestCopy() } : nil
    }

    /// True if the reader may mark rooms as read.
    var mayMark: Bool { visitor.hasOwnMarks || visitor.mayWrite && site.source.folder != nil }

    /// True if the reader may erase rooms: the owner alone, and not from a shared archive.
    var mayErase: Bool { visitor.isOwner && site.source.folder != nil }

    /// The clock and the reader's zone.
    var context: OperationContext { site.context(zone: zone) }

    var path: String { request.uri.path }

    /// Reads the parameters of the address.
    ///
    /// - Parameter added: Parameters from the path, which the address can't give.
    func parameters(
        _ known: [Parameter], adding added: [(name: String, value: String)] = []
    ) throws -> OperationParameters {
        // A form also sends its empty fields, which have no meaning.
        let items = try Query.items(request.uri.query).filter { !$0.value.isEmpty }
        let known = known + Parameter.everywhere + [Self.fragment]
        _ = try OperationParameters(items, known: known.filter { one in !added.contains { $0.name == one.name } })
        return try OperationParameters(items + added, known: known)
    }

    /// Returns a part of the path, decoded.
    static func part(_ name: String, _ context: ServeContext) throws -> String {
        try Query.decode(Substring(context.parameters.get(name) ?? "").utf8, plusIsSpace: false)
    }

    /// The parameter with which a page's script requests only the new part.
    static let fragment = Parameter("fragment", .flag, "Only the changing part of the page, for its script.")

    func respond(_ html: HTML) -> Response {
        Answer.response(html.text, type: "text/html; charset=utf-8", to: request)
    }
}
