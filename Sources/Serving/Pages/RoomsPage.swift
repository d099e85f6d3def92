import ChatModel
import Hummingbird
import Operations
import Options
import Reading
import Rendering

/// All rooms of all accounts, those with the latest messages first.
struct RoomsPage {
    let visit: PageVisit

    private static let filter = Parameter("filter", .text, "Only rooms and accounts whose names contain this text.")
    private static let page = Parameter("page", .number(1...100_000), "The page of the list (default 1).")
    /// The number of rooms of a page, which a phone shows at once.
    private static let pageSize = 500

    func response() throws -> Response {
        let parameters = try visit.parameters(RoomsOperation.parameters + [Self.filter, Self.page])
        var operation = try RoomsOperation(parameters)
        if parameters.text("sort") == nil { operation.order = .last }
        let (text, page) = (parameters.text("filter") ?? "", parameters.number("page") ?? 1)
        let (isCold, visitor) = (parameters.has("cold"), visit.visitor)
        let (rooms, shown, part, skipped) = try visit.site.readInPlace(as: visitor, cold: isCold) {
            [operation] reading in
            // A compressed account is expanded for each reading.
            let rooms = try isCold ? operation.rooms(in: reading).rooms : operation.outlines(in: reading)
            let shown = text.isEmpty ? rooms : rooms.filter { Self.matches($0, text) }
            let part = Array(shown.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize))
            return (rooms, shown.count, visitor.shown(isCold ? part : try reading.listed(part)), reading.skipped)
        }
        guard !rooms.isEmpty || !skipped.isEmpty || parameters.text("account") != nil || parameters.text("kind") != nil
        else {
            return visit.respond(EmptyArchivePage.html(folder: visit.visitor.isOwner ? visit.site.folder : nil))
        }
        return visit.respond(html(rooms, part, of: shown, skipped, filter: text, page: page, operation.order))
    }

    /// Returns true if a name of the room contains the text, in the letters that a search takes for equal.
    private static func matches(_ room: Room, _ text: String) -> Bool {
        let text = RoomArgument.fold(text).unicodeScalars
        return [room.name, room.account, room.workspace ?? ""].contains { name in
            RoomArgument.fold(name).unicodeScalars.contains(text)
        }
    }

    /// - Parameters:
    ///   - rooms: All rooms.
    ///   - part: Those of the page.
    ///   - shown: The number of rooms that the filter leaves.
    private func html(
        _ rooms: [Room], _ part: [Room], of shown: Int, _ skipped: [SkippedAccount], filter: String, page: Int,
        _ order: RoomsOperation.Order
    ) -> HTML {
        var frame = PageFrame(title: "Rooms")
        (frame.zone, frame.copy) = (visit.zone, visit.copy)
        let now = Timestamp.now()
        let items = part.map { item($0, now: now) }.joined()
        let list: HTML =
            shown == 0 && filter.isEmpty
            ? "<p class=\"edge\">No rooms to show.</p>\n"
            : shown == 0
                ? "<p class=\"edge\">No room's name contains “<bdi>\(HTMLText.name(filter))</bdi>”. <a href=\"\(HTMLAddress.local("/"))\">Show all rooms</a></p>\n"
                : "<ul class=\"room-list\" data-count=\"\(shown)\">\n\(items)</ul>\n"
        return frame.page(
            "<main id=\"main\" class=\"rooms-page\">\n\(form(filter, order))\(list)\(pages(shown, page, filter))"
                + "\(LeftOut.html(skipped))"
                + "\(mergeBar(rooms))</main>\n")
    }

    private func form(_ filter: String, _ order: RoomsOperation.Order) -> HTML {
        let orders: [(RoomsOperation.Order, String)] = [
            (.last, "latest message"), (.name, "name"), (.messages, "number of messages"),
        ]
        let options = orders.map { value, words -> HTML in
            "<option value=\"\(value.rawValue)\"\(value == order ? " selected" : "")>\(words)</option>"
        }
        return """
            <form class="filter" id="filter">
            <input type="search" name="filter" aria-label="Filter rooms by name" placeholder="Filter rooms by name" value="\(HTMLText.line(filter))" autocomplete="off">
            <label>Sort by <select name="sort">\(options.joined())</select></label>
            <button>Apply</button>
            </form>

            """
    }

    private func item(_ room: Room, now: Timestamp) -> HTML {
        let name = RoomWords.name(room)
        let unread = RoomWords.unread(room.unread)
        let place: HTML =
            HTMLText.name(room.account) + (room.workspace.map { "</bdi> · <bdi>\(HTMLText.name($0))" } ?? "")
        let value = HTMLText.line("\(room.account)/\(room.id)")
        let when: HTML =
            (room.lastSaid?.id ?? room.lastMessage).map { RoomWords.when($0, zone: visit.zone, now: now) } ?? ""
        return "<li\(unread.isEmpty ? "" : " class=\"has-unread\"")>"
            + "<input type=\"checkbox\" name=\"room\" form=\"merge\" value=\"\(value)\" aria-label=\"Mark \(name)\">"
            + "<div><h2>\(HTMLPicture(room.picture ?? room.workspacePicture).html)<a href=\"\(HTMLAddress.room(room.account, room.id))#end\"><bdi>\(name)</bdi></a>"
            + "<small><bdi>\(place)</bdi></small></h2><p class=\"said\">\(RoomWords.lastSaid(of: room))</p></div>"
            + "<div class=\"when\">\(when)"
            + (unread.isEmpty ? "" : "<br><span class=\"unread\">\(unread)<span class=\"v\"> unread</span></span>")
            + "</div></li>\n"
    }

    private func pages(_ count: Int, _ page: Int, _ filter: String) -> HTML {
        let last = (count + Self.pageSize - 1) / Self.pageSize
        guard last > 1 else { return "" }
        let items = (try? Query.items(visit.request.uri.query).filter { $0.name != "page" && !$0.value.isEmpty }) ?? []
        let address = PageAddress(path: HTMLAddress.local("/"), items: items)
        let previous: HTML =
            page > 1
            ? "<a class=\"button\" rel=\"prev\" href=\"\(address.with("page", String(page - 1)))\">← Page \(page - 1)</a> "
            : ""
        let next: HTML =
            page < last
            ? "<a class=\"button\" rel=\"next\" href=\"\(address.with("page", String(page + 1)))\">Page \(page + 1) of \(last) →</a>"
            : ""
        return "<nav class=\"edge\" aria-label=\"More rooms\">\(previous)\(next)</nav>\n"
    }

    private func mergeBar(_ rooms: [Room]) -> HTML {
        guard rooms.count > 1 else { return "" }
        let accounts = Set(rooms.map(\.account)).sorted()
        let links: [HTML] = accounts.prefix(12).map {
            "<a href=\"\(HTMLAddress.local("/account/"))\(HTMLAddress.segment($0))#end\"><bdi>\(HTMLText.name($0))</bdi></a>"
        }
        return """
            <form class="merge-bar" id="merge" action="\(HTMLAddress.local("/merged"))">
            <button>Show the marked rooms together</button>
            <span>\(rooms.count.of("room")). All rooms of one account together: \(links.joined(separator: ", "))</span>
            </form>

            """
    }
}
