import ChatModel
import FoundationEssentials
import Hummingbird
import Operations
import Options
import Reading
import Rendering

/// The history of a room.
struct RoomPage {
    let visit: PageVisit
    let key: RoomKey
    let side: SideRooms

    /// The content of the page.
    private struct Found: Sendable {
        var room: Room
        var readThrough: MessageID?
        var page: Page
        var day: Page.Day?
        /// The message that the page was opened for.
        var here: MessageID?
        var feeds: HTML
        var leftOut: [MessageID: Int]
        /// The message that set the room's topic.
        var topic: Message?
    }

    func response() throws -> Response {
        let parameters = try visit.parameters(
            HistoryOperation.parameters, adding: [("room", String(key.id)), ("account", key.account)])
        let operation = try HistoryOperation(parameters)
        let zone = parameters.has("utc") ? .gmt : visit.zone
        let isFragment = parameters.has(PageVisit.fragment.name)
        let limit = parameters.number("limit") ?? PageLog.defaultLimit
        let found = try visit.site.readInPlace(as: visit.visitor, cold: parameters.has("cold")) { reading in
            try find(operation, limit: limit, zone: zone, isFragment: isFragment, in: reading)
        }
        guard let found else { throw Problem.notFound }
        let log = try log(found, operation, zone: zone)
        if isFragment { return visit.respond(log.html) }
        return visit.respond(try page(found, log, operation, zone: zone))
    }

    private func find(
        _ operation: HistoryOperation, limit: Int, zone: Zone, isFragment: Bool, in reading: ArchiveReading
    ) throws -> Found? {
        guard let (found, mark) = try reading.room(key) else { return nil }
        let room = visit.visitor.shown([found])[0]
        let marker = visit.visitor.seesReadMarks ? mark : nil
        let feeds: HTML =
            isFragment ? "" : try PageFeeds.attributes([(key.account, key.id)], for: visit.visitor, in: reading)
        let place = operation.place
        let given = try place.anchor(zone: zone, now: .now())
        let anchor: MessageQuery.Anchor = place.isUnread ? marker.map { .around($0) } ?? .oldest : given
        let query = try MessageQuery(
            scope: .room(account: key.account, id: key.id), anchor: anchor, limit: limit,
            hidden: visit.context.hidden(operation.hides, in: reading), names: operation.names)
        let page = try reading.page(query)
        let leftOut = try LeftOutEvents.counts(of: page, query, in: reading)
        var here: MessageID?
        if case .around(let id) = anchor, !place.isUnread, page.messages.contains(where: { $0.id == id }) { here = id }
        let day =
            isFragment ? nil : try DayTools.day(of: page, here: here, query, zone: zone, in: reading)
        // A room can be read without its search index.
        let topic = isFragment ? nil : try? reading.topic(of: key)
        return Found(
            room: room, readThrough: marker, page: page, day: day, here: here, feeds: feeds, leftOut: leftOut,
            topic: topic)
    }

    // MARK: Parts of the page

    private func log(_ found: Found, _ operation: HistoryOperation, zone: Zone) throws -> PageLog {
        let address = try PageAddress(visit)
        var settings = HTMLMessageList.Settings(zone: zone, place: .server(hasAccounts: false))
        settings.dayAddress = address.with("day", "")
        (settings.here, settings.leftOut) = (found.here, found.leftOut)
        let unread = RoomWords.unread(found.room.unread)
        if let marker = found.readThrough, !unread.isEmpty,
            found.page.messages.first.map({ $0.id <= marker }) ?? false || operation.place.isUnread
        {
            settings.readThrough = marker
            settings.unread = "\(unread) unread \(unread == "1" ? "message" : "messages")"
        }
        return PageLog(
            page: found.page, settings: settings, address: address, beginning: beginning(found, operation),
            limit: try operation.place.limit(zone: zone, now: .now()))
    }

    /// Returns the text at the page's beginning if nothing older is archived.
    private func beginning(_ found: Found, _ operation: HistoryOperation) -> HTML {
        guard let first = found.page.messages.first else {
            return found.room.isEmptied && found.page.day == nil
                ? "No messages are left here." : DayTools.nothing(on: found.page.day)
        }
        guard !operation.place.isBounded else { return "" }
        if found.page.gaps.contains(where: { $0.state == .purged && $0.from < first.id.time }) {
            return "Earlier messages of <bdi>\(RoomWords.name(found.room))</bdi> were removed."
        }
        return "This is the beginning of <bdi>\(RoomWords.name(found.room))</bdi> in the archive."
    }

    private func page(
        _ found: Found, _ log: PageLog, _ operation: HistoryOperation, zone: Zone
    ) throws -> HTML {
        let room = found.room
        let name = RoomWords.name(room)
        var frame = PageFrame(
            title: room.name.isEmpty ? "(no name)" : room.name,
            heading:
                "\(HTMLPicture(room.picture ?? room.workspacePicture).html)<bdi>\(name)</bdi><small><bdi>\(HTMLText.name(room.account))</bdi></small>"
        )
        (frame.zone, frame.copy) = (zone, visit.copy)
        frame.side = try side.html(for: visit.visitor, current: .room(room))
        frame.search(room)
        return frame.page(
            log.main(feeds: found.feeds, operation.place) + (try tools(found, log.address, zone: zone)) + log.html
                + log.end(operation.place) + end(found, operation) + "</main>\n")
    }

    private func tools(_ found: Found, _ address: PageAddress, zone: Zone) throws -> HTML {
        let calendar = DayTools.calendar(address.path, of: found.day?.day)
        let days = found.day.map { DayTools(day: $0, address: address, calendar: calendar) }
        let hiding = HideTools(address: try PageAddress(visit, keepsPlace: true)).html
        let unread = RoomWords.unread(found.room.unread)
        let link: HTML =
            unread.isEmpty || found.readThrough == nil
            ? "" : "<a class=\"button\" href=\"\(address.with("unread", "1"))#unread\">\(unread) unread</a>"
        return "<div class=\"tools\">\n\(days?.html ?? "")\(RoomWords.topicLink(found.topic))"
            + "<details class=\"more\"><summary class=\"button\">More</summary><div>"
            + "\(RoomWords.topic(found.topic, zone: zone))\(RoomWords.description(found.room))\(days?.field ?? "")"
            + "<a class=\"button\" href=\"\(calendar)\">Calendar</a>\(hiding)\(link)"
            + RoomDownload.form(found.room, day: found.day?.day, address)
            + (visit.mayErase ? ErasePage.link(key) : "")
            + "</div></details>\n</div>\n<p class=\"facts\">\(RoomWords.facts(found.room, zone: zone))</p>\n"
            + RoomWords.about(found.room)
    }

    /// Returns the end of the page, with the form that marks the room as read.
    private func end(_ found: Found, _ operation: HistoryOperation) -> HTML {
        let unread = RoomWords.unread(found.room.unread)
        guard visit.mayMark, !unread.isEmpty, let last = found.page.messages.last,
            found.page.newer == nil || found.readThrough.map({ last.id > $0 }) ?? true
        else {
            return "<div id=\"end\"></div>\n"
        }
        let isNewest = found.page.newer == nil && !operation.place.isBounded
        return """
            <div class="end" id="end">
            <form method="post" action="\(HTMLAddress.local(ReadMarkRoute.path))">
            <input type="hidden" name="account" value="\(key.account)"><input type="hidden" name="room" value="\(key.id)">
            <input type="hidden" name="to" value="\(last.id)"><input type="hidden" name="back" value="\(visit.path)#end">
            <button class="main-button">\(isNewest ? "Mark as read" : "Mark as read up to here")</button>
            </form>
            <a class="facts" href="\(HTMLAddress.room(key.account, key.id))?unread=1#unread">\(unread) unread</a>
            </div>

            """
    }
}
