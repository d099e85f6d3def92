import ChatModel
import Foundation
import Hummingbird
import Operations
import Rendering

/// The messages of a page, with links to the older and the newer ones.
struct PageLog {
    let page: Page
    var settings: HTMLMessageList.Settings
    /// The page's address without its place in time.
    let address: PageAddress
    /// HTML above the first message of all.
    var beginning: String

    /// The limit of messages if the address gives none.
    static let defaultLimit = 100

    /// HTML that a script may fetch alone.
    var html: String {
        var list = HTMLMessageList(settings)
        let log = list.page(page.messages, gaps: page.gaps)
        return older + "<div class=\"log\" lang=\"\">\n\(log)</div>\n" + newer
    }

    private var older: String {
        guard let id = page.older else { return "<p class=\"edge\">\(beginning)</p>\n" }
        return "<nav class=\"edge\" aria-label=\"Older messages\"><a class=\"button\" rel=\"prev\" "
            + "href=\"\(address.with("before", id.description))#end\">↑ Older messages</a></nav>\n"
    }

    private var newer: String {
        guard let id = page.newer else { return "" }
        return "<nav class=\"edge\" aria-label=\"Newer messages\"><a class=\"button\" rel=\"next\" "
            + "href=\"\(address.with("after", id.description))\">↓ Newer messages</a> "
            + "<a class=\"button\" id=\"newest\" href=\"\(address.text)#end\">Newest</a></nav>\n"
    }
}

/// The path of a page with the parts of its query that its links keep, safe within an attribute's quotes.
struct PageAddress {
    let path: String
    let items: [(name: String, value: String)]

    /// The parameters for a place in time, which each link sets itself.
    private static let places: Set = ["before", "after", "around", "between", "day", "oldest", "unread", "fragment"]

    init(path: String, items: [(name: String, value: String)]) {
        (self.path, self.items) = (path, items)
    }

    /// Makes the address of a visit without its place in time.
    init(_ visit: PageVisit) throws {
        let items = try Query.items(visit.request.uri.query)
        self.init(path: visit.path, items: items.filter { !Self.places.contains($0.name) && !$0.value.isEmpty })
    }

    var text: String { HTMLText.escape(path + Query.text(items)) }

    /// Returns the address with another parameter.
    func with(_ name: String, _ value: String) -> String {
        HTMLText.escape(path + Query.text(items + [(name, value)]))
    }

    /// Returns the address without a parameter.
    func without(_ name: String) -> PageAddress {
        PageAddress(path: path, items: items.filter { $0.name != name })
    }

    /// The kept parameters as hidden fields of a form.
    var fields: String {
        items.map { name, value in
            "<input type=\"hidden\" name=\"\(HTMLText.escape(name))\" value=\"\(HTMLText.escape(value))\">"
        }.joined()
    }
}
