import ChatModel
import Rendering

/// The parts around the content of every page.
struct PageFrame {
    /// An untrusted text; it is cut and escaped here.
    var title: String
    /// The heading in the bar at the top.
    var heading: HTML
    /// The list of rooms beside the content; empty for none.
    var side: HTML = ""
    /// The zone of the times on the page; nil for a page without times.
    var zone: Zone?
    /// The age of the oldest copy on the page; nil for a data folder.
    var copy: AccountCopyAge?
    /// Hidden fields with which a search from this page is limited; empty to search everything.
    var searchFields: HTML = ""
    /// The words in the empty search field.
    var searchLabel = "Search all rooms"
    /// False for the page of a search, which has a larger field.
    var hasSearch = true

    init(title: String, heading: HTML) {
        (self.title, self.heading) = (title, heading)
    }

    /// Makes the frame of a page whose heading is its title.
    init(title: String) {
        self.init(title: title, heading: HTMLText.name(title))
    }

    /// Limits a search from this page to a room.
    mutating func search(_ room: Room) {
        searchFields =
            "<input type=\"hidden\" name=\"account\" value=\"\(room.account)\">"
            + "<input type=\"hidden\" name=\"room\" value=\"\(room.id)\">"
        searchLabel = "Search \(room.name)"
    }

    /// - Parameter content: With a `main` element whose id is `main`.
    func page(_ content: HTML) -> HTML {
        let body: HTML = side.isEmpty ? "" : " class=\"with-side\""
        let root: HTML = HTMLAddress.root.isEmpty ? "" : " data-root=\"\(HTMLAddress.root)\""
        return """
            <!DOCTYPE html>
            <html lang="en"\(root)\(zone.map { " data-zone=\"\(HTMLText.line($0.identifier))\"" } ?? "")>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(HTMLText.name(title)) · Scrollback</title>
            <link rel="stylesheet" href="\(AssetRoutes.address("style.css"))">
            <link rel="icon" href="\(AssetRoutes.address("icon.svg"))">
            <script type="module" src="\(AssetRoutes.address("scrollback.js"))"></script>
            </head>
            <body\(body)>
            <a class="skip" href="#main">Skip to the content</a>
            <header class="top">
            <a class="brand" href="\(HTMLAddress.local("/"))" aria-label="Scrollback: all rooms"><img src="\(AssetRoutes.address("icon.svg"))" alt="" width="26" height="26"><span>Scrollback</span></a>
            <h1>\(heading)</h1>
            \(hasSearch ? search : "")<nav aria-label="Site"><a href="\(HTMLAddress.local("/"))">Rooms</a><a href="\(HTMLAddress.local("/help"))">Help</a></nav>
            </header>
            <div class="frame">
            \(side)\(content)\(footer)</div>
            </body>
            </html>

            """
    }

    private var search: HTML {
        let label = HTMLText.name(searchLabel)
        return "<form class=\"find\" role=\"search\" action=\"\(HTMLAddress.local("/search"))\">\(searchFields)"
            + "<input type=\"search\" name=\"q\" aria-label=\"\(label)\" placeholder=\"\(label)\" autocomplete=\"off\">"
            + "<button aria-label=\"Search\">\(Self.glass)</button></form>"
    }

    private var footer: HTML {
        // Foundation calls UTC "GMT".
        let times: HTML = zone.map { "Times in \(HTMLText.line($0 == .gmt ? "UTC" : $0.identifier)). " } ?? ""
        let age = copy.map { CopyAgeText.sentence($0, zone: zone ?? .gmt) } ?? ""
        let copyAge: HTML =
            age.isEmpty ? "" : "\(age.prefix(1).uppercased())\(HTMLText.line(String(age.dropFirst()))). "
        return
            "<footer class=\"site-foot\">\(times)\(copyAge)<a href=\"\(HTMLAddress.local("/help"))\">Help and keys</a></footer>\n"
    }

    private static let glass: HTML =
        "<svg width=\"18\" height=\"18\" viewBox=\"0 0 20 20\" aria-hidden=\"true\" focusable=\"false\">"
        + "<circle cx=\"8.5\" cy=\"8.5\" r=\"5.5\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"/>"
        + "<path d=\"M12.8 12.8l5 5\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linecap=\"round\"/></svg>"
}
