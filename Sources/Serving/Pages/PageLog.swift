import ChatModel
import Hummingbird
import Operations
import Rendering

/// The messages of a page, with links to the older and the newer ones.
struct PageLog {
    let page: Page
    var settings: HTMLMessageList.Settings
    /// The page's address without its place in time.
    let address: PageAddress
    /// The words above the first message of all.
    var beginning: HTML
    /// The time that the pages beside this one keep to.
    var limit = PageLimit()

    /// The limit of messages if the address gives none.
    static let defaultLimit = 100

    /// Returns the tag of the element that has the log, with what the page's script needs.
    ///
    /// - Parameter feeds: The attributes of ``PageFeeds``.
    func main(feeds: HTML, _ place: TimePlace) -> HTML {
        let state: HTML = place.isBounded ? " data-bounded" : page.newer == nil ? " data-live" : ""
        return "<main id=\"main\" class=\"room\"\(feeds) data-path=\"\(address.text)\"\(state)>\n"
    }

    /// Returns the links below the log of a time that has an end; empty for another.
    func end(_ place: TimePlace) -> HTML {
        guard place.isBounded else { return "" }
        if let day = page.day { return DayTools(day: day, address: address).end }
        return "<nav class=\"edge\" aria-label=\"Newest messages\">\(address.newest)</nav>\n"
    }

    /// The part that a script may fetch alone.
    var html: HTML {
        var list = HTMLMessageList(settings)
        let log = list.page(page.messages, gaps: page.gaps)
        return older + "<div class=\"log\" lang=\"\">\n\(log)</div>\n" + newer
    }

    private var older: HTML {
        guard let id = page.older else { return "<p class=\"edge\">\(beginning)</p>\n" }
        return "<nav class=\"edge\" aria-label=\"Older messages\"><a class=\"button\" rel=\"prev\" "
            + "href=\"\(address.before(id, limit))#end\">↑ Older messages</a></nav>\n"
    }

    private var newer: HTML {
        guard let id = page.newer else { return "" }
        let newest: HTML = limit == PageLimit() ? " " + address.newest : ""
        return "<nav class=\"edge\" aria-label=\"Newer messages\"><a class=\"button\" rel=\"next\" "
            + "href=\"\(address.after(id, limit))\">↓ Newer messages</a>\(newest)</nav>\n"
    }
}

/// The path of a page with the parts of its query that its links keep.
struct PageAddress {
    let path: String
    let items: [(name: String, value: String)]

    /// The parameters for a place in time, which each link sets itself.
    private static let places: Set = ["before", "after", "around", "between", "day", "oldest", "unread"]

    init(path: String, items: [(name: String, value: String)]) {
        (self.path, self.items) = (path, items)
    }

    /// Makes the address of a visit.
    ///
    /// - Parameter keepsPlace: True for the address with its place in time.
    init(_ visit: PageVisit, keepsPlace: Bool = false) throws {
        let items = try Query.items(visit.request.uri.query)
        self.init(
            path: HTMLAddress.local(visit.path),
            items: items.filter { item in
                !item.value.isEmpty && item.name != "fragment" && (keepsPlace || !Self.places.contains(item.name))
            })
    }

    var text: String { path + Query.text(items) }

    /// Returns the address with another parameter.
    func with(_ name: String, _ value: String) -> String { with([(name, value)]) }

    /// Returns the address of the page before a message.
    func before(_ id: MessageID, _ limit: PageLimit) -> String {
        let start = limit.until.map { [("between", id.description), ("between", $0)] } ?? [("before", id.description)]
        return with(start + (limit.after.map { [("after", $0)] } ?? []))
    }

    /// Returns the address of the page after a message.
    func after(_ id: MessageID, _ limit: PageLimit) -> String {
        with([("after", id.description)] + (limit.before.map { [("before", $0)] } ?? []))
    }

    /// Returns the address with the start and the end of a search, and with the order that they give.
    func within(_ limit: PageLimit) -> PageAddress {
        let bounds = [("after", limit.after), ("before", limit.before)].compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
        let ordered = ordered(limit)
        return PageAddress(path: path, items: ordered.items + bounds)
    }

    /// Returns the address with the order that the times of a search give.
    func ordered(_ limit: PageLimit) -> PageAddress {
        guard let order = limit.order, !items.contains(where: { $0.name == "sort" }) else { return self }
        return PageAddress(path: path, items: items + [(name: "sort", value: order)])
    }

    /// A link to the newest messages.
    var newest: HTML { "<a class=\"button\" id=\"newest\" href=\"\(text)#end\">Newest</a>" }

    private func with(_ added: [(String, String)]) -> String {
        path + Query.text(items + added.map { (name: $0, value: $1) })
    }

    /// Returns the address without a parameter.
    func without(_ name: String) -> PageAddress {
        PageAddress(path: path, items: items.filter { $0.name != name })
    }

    /// The kept parameters as hidden fields of a form.
    var fields: HTML {
        items.map { name, value -> HTML in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
        }.joined()
    }
}
