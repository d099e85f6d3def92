import ChatModel
import Hummingbird
import Operations
import Options
import Reading
import Rendering

/// The history of several rooms or accounts in the order of time.
struct MergedPage {
    let visit: PageVisit
    /// The account of the page; nil for the rooms and accounts that the address names.
    let account: String?
    let side: SideRooms

    private static let rooms = Parameter("room", .text, isRepeated: true, "ACCOUNT/NUMBER; may be repeated.")

    func response() throws -> Response {
        let known = HistoryOperation.parameters.filter { $0.name != "room" && $0.name != "unread" } + [Self.rooms]
        let parameters = try visit.parameters(known, adding: account.map { [("account", $0)] } ?? [])
        let withoutRooms = try OperationParameters(
            Query.items(visit.request.uri.query).filter { $0.name != "room" },
            known: known + Parameter.everywhere + [PageVisit.fragment])
        guard parameters.texts("room").isEmpty || parameters.texts("account").isEmpty else {
            throw UsageError("--room and --account can't be combined; give one")
        }
        let operation = try HistoryOperation(withoutRooms)
        let zone = parameters.has("utc") ? .gmt : visit.zone
        let limit = parameters.number("limit") ?? PageLog.defaultLimit
        let found = try visit.site.readInPlace(as: visit.visitor, cold: parameters.has("cold")) { reading in
            try find(parameters, operation, limit: limit, zone: zone, in: reading)
        }
        let (page, scope) = (found.page, found.scope)
        let address = try PageAddress(visit)
        var settings = HTMLMessageList.Settings(zone: zone, place: .server(hasAccounts: scope.accounts.count > 1))
        settings.showsRooms = true
        settings.dayAddress = address.with("day", "")
        let beginning: HTML =
            page.messages.isEmpty
            ? DayTools.nothing(on: page.day) : operation.place.isBounded ? "" : "These are the oldest messages."
        let log = PageLog(
            page: page, settings: settings, address: address, beginning: beginning,
            limit: try operation.place.limit(zone: zone, now: .now()))
        if parameters.has(PageVisit.fragment.name) { return visit.respond(log.html) }
        return visit.respond(try self.page(log, found, operation, zone: zone))
    }

    /// The messages for the page.
    private struct Found: Sendable {
        var page: Page
        var day: Page.Day?
        var scope: MessageQuery.Scope
        var feeds: HTML
    }

    private func find(
        _ parameters: OperationParameters, _ operation: HistoryOperation, limit: Int, zone: Zone,
        in reading: ArchiveReading
    ) throws -> Found {
        let scope = try scope(parameters, in: reading)
        let query = try MessageQuery(
            scope: scope, anchor: operation.place.anchor(zone: zone, now: .now()), limit: limit,
            hidden: visit.context.hidden(operation.hides, in: reading), names: operation.names)
        let feeds: HTML =
            parameters.has(PageVisit.fragment.name)
            ? "" : try PageFeeds.attributes(Self.parts(scope), for: visit.visitor, in: reading)
        let page = try reading.page(query)
        let day = try DayTools.day(of: page, here: nil, query, zone: zone, in: reading)
        return Found(page: page, day: day, scope: scope, feeds: feeds)
    }

    /// Returns the named rooms, or the named accounts, or everything.
    private func scope(_ parameters: OperationParameters, in reading: ArchiveReading) throws -> MessageQuery.Scope {
        let rooms = try parameters.texts("room").map(Self.key)
        guard rooms.isEmpty else { return .rooms(rooms) }
        let accounts = account.map { [$0] } ?? parameters.texts("account")
        let known = try reading.accounts().map(\.name)
        guard accounts.allSatisfy(known.contains) else { throw Problem.notFound }
        return .accounts(accounts.isEmpty ? known : accounts)
    }

    private static func key(_ text: String) throws -> RoomKey {
        guard let slash = text.lastIndex(of: "/"), let number = Int64(text[text.index(after: slash)...]) else {
            throw UsageError("--room takes ACCOUNT/NUMBER here, not \"\(Sanitizer.line(text))\"")
        }
        return RoomKey(account: String(text[..<slash]), id: number)
    }

    private func page(
        _ log: PageLog, _ found: Found, _ operation: HistoryOperation, zone: Zone
    ) throws -> HTML {
        let title = title(found.scope)
        var frame = PageFrame(title: title, heading: "<bdi>\(HTMLText.name(title))</bdi>")
        (frame.zone, frame.copy) = (zone, visit.copy)
        frame.side = try side.html(for: visit.visitor, current: account.map { .account($0) } ?? .none)
        if let account {
            frame.searchFields = "<input type=\"hidden\" name=\"account\" value=\"\(account)\">"
            frame.searchLabel = "Search \(account)"
        }
        let days: HTML = found.day.map { DayTools(day: $0, address: log.address).html } ?? ""
        return frame.page(
            log.main(feeds: found.feeds, operation.place)
                + "<div class=\"tools\">\n\(days)</div>\n<p class=\"facts\">\(Self.facts(found.scope))</p>\n"
                + LeftOut.html(log.page.skipped) + log.html + log.end(operation.place)
                + "<div id=\"end\"></div>\n</main>\n")
    }

    private func title(_ scope: MessageQuery.Scope) -> String {
        if let account { return account }
        switch scope {
        case .rooms(let rooms): return "\(rooms.count.of("room")) together"
        case .accounts(let names): return names.count == 1 ? names[0] : "\(names.count.of("account")) together"
        }
    }

    private static func facts(_ scope: MessageQuery.Scope) -> String {
        switch scope {
        case .rooms(let rooms): "\(rooms.count.of("room")) in the order of time"
        case .accounts: "All rooms in the order of time"
        }
    }

    private static func parts(_ scope: MessageQuery.Scope) -> [(account: String, room: Int64?)] {
        switch scope {
        case .rooms(let rooms): rooms.map { ($0.account, $0.id) }
        case .accounts(let names): names.map { ($0, nil) }
        }
    }
}
