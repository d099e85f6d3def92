import ChatModel
import Operations
import Rendering
import SearchText

/// The HTML of a search.
struct SearchView {
    let parameters: OperationParameters
    let address: PageAddress
    let zone: Zone
    /// The age of the oldest copy; nil for a data folder.
    let copy: AccountCopyAge?
    /// The room or the accounts that the search is limited to; empty for a search everywhere.
    let place: String

    /// The content below the search field.
    enum Content {
        case none
        case mistake(String)
        case found(SearchResult)
    }

    /// The number of messages around each hit of a page with context.
    private static let context = "3"

    func page(_ content: Content, facets: HTML) -> HTML {
        let text = parameters.text("q") ?? ""
        var frame = PageFrame(title: text.isEmpty ? "Search" : "Search: \(text)", heading: "Search")
        (frame.zone, frame.copy) = (zone, copy)
        frame.hasSearch = false
        let lazy = lazyFacets(content, facets)
        return frame.page(
            "<main id=\"main\" class=\"wide\"\(lazy)>\n\(form(text))\(body(content, facets))</main>\n")
    }

    /// Returns the attribute with the address of the counts, which a script adds to the page.
    private func lazyFacets(_ content: Content, _ facets: HTML) -> HTML {
        guard facets.isEmpty, case .found(let result) = content, !result.page.messages.isEmpty else { return "" }
        let limited = address.within(result.limit)
        let address = PageAddress(path: limited.path, items: limited.items + [("facets", "1")])
        return " data-facets=\"\(address.with("fragment", "1"))\""
    }

    private func form(_ text: String) -> HTML {
        let kept = address.without("q").without("facets")
        let everywhere = kept.without("room").without("account")
        let wide = PageAddress(path: everywhere.path, items: everywhere.items + [("q", text)])
        let limit: HTML =
            place.isEmpty
            ? ""
            : "<p class=\"bar\"><span>Only in <bdi>\(HTMLText.name(place))</bdi>.</span> <a href=\"\(wide.text)\">Search everywhere</a></p>\n"
        return """
            <form class="search-form" role="search" action="\(HTMLAddress.local("/search"))">\(kept.fields)
            <input type="search" id="q" name="q" aria-label="Search" value="\(HTMLText.line(text))" autocomplete="off"\(text.isEmpty ? " autofocus" : "")>
            <button class="main-button">Search</button>
            </form>
            \(limit)
            """
    }

    private func body(_ content: Content, _ facets: HTML) -> HTML {
        switch content {
        case .none: HelpPage.syntax
        case .mistake(let text): "<p class=\"notes\" role=\"alert\">\(HTMLText.line(text))</p>\n\(HelpPage.syntax)"
        case .found(let result):
            bar(result, facets) + notes(result.notes)
                + "<div class=\"results\(facets.isEmpty ? "" : " has-facets")\">\n<div>\n\(hits(result))</div>\n\(facets)</div>\n"
                + (result.page.messages.isEmpty ? "" : SearchDownload.links(address.within(result.limit)))
        }
    }

    // MARK: Above the hits

    private func bar(_ result: SearchResult, _ facets: HTML) -> HTML {
        let kept = address.within(result.limit)
        let orders: [(SearchOperation.Order, String)] = [
            (.newest, "newest first"), (.oldest, "oldest first"), (.relevance, "most relevant"),
        ]
        let links = orders.map { order, words -> HTML in
            order == result.order
                ? "<span>\(words)</span>"
                : "<a href=\"\(kept.without("sort").with("sort", order.rawValue))\">\(words)</a>"
        }
        let context: HTML =
            result.groups == nil
            ? "<a href=\"\(kept.with("context", Self.context))\">with context</a>"
            : "<a href=\"\(kept.without("context").text)\">without context</a>"
        let count: HTML =
            facets.isEmpty
            ? "<a id=\"count\" href=\"\(kept.with("facets", "1"))\">Count by room, person and year</a>" : ""
        return
            "<p class=\"bar\">\(links.joined(separator: " "))\(context)\(count)<a href=\"\(HTMLAddress.local("/help"))\">Search syntax</a></p>\n"
    }

    private func notes(_ notes: [String]) -> HTML {
        guard !notes.isEmpty else { return "" }
        return "<ul class=\"notes\">" + notes.map { "<li>\(HTMLText.line($0))</li>" as HTML }.joined() + "</ul>\n"
    }

    // MARK: Hits

    /// Returns the hits as HTML, which a script may also fetch without the page.
    func hits(_ result: SearchResult) -> HTML {
        guard !result.page.messages.isEmpty else { return empty(result) }
        let hits = SearchHits(highlighter: result.highlighter, zone: zone, hasAccounts: true)
        let isNewestFirst = result.order == .newest
        let items: [HTML]
        if let groups = result.groups {
            items = (isNewestFirst ? groups.reversed() : groups).map(hits.group)
        } else {
            items = (isNewestFirst ? result.page.messages.reversed() : result.page.messages).map(hits.hit)
        }
        return "<ul class=\"hits\">\n\(items.joined())</ul>\n" + pages(result, isNewestFirst: isNewestFirst)
            + LeftOut.html(result.page.skipped)
    }

    private func pages(_ result: SearchResult, isNewestFirst: Bool) -> HTML {
        let (page, limit) = (result.page, result.limit)
        let kept = address.ordered(limit)
        func link(_ address: String?, _ relation: String, _ words: String) -> HTML {
            address.map { "<a class=\"button\" rel=\"\(relation)\" href=\"\($0)\">\(words)</a> " } ?? ""
        }
        let older = link(page.older.map { kept.before($0, limit) }, isNewestFirst ? "next" : "prev", "Older hits")
        let newer = link(page.newer.map { kept.after($0, limit) }, isNewestFirst ? "prev" : "next", "Newer hits")
        guard page.older != nil || page.newer != nil else { return "<p class=\"edge\">No more hits.</p>\n" }
        return "<nav class=\"edge\" aria-label=\"More hits\">\(isNewestFirst ? newer + older : older + newer)</nav>\n"
    }

    private func empty(_ result: SearchResult) -> HTML {
        let reasons = result.reasons.map {
            "<li>\(HTMLText.line($0.prefix(1).uppercased() + $0.dropFirst())).</li>" as HTML
        }
        let suggestions = result.suggestions.map { suggestion -> HTML in
            let kept = address.within(result.limit).without("q").with("q", suggestion.query.written)
            return
                "<li>\(HTMLText.line(suggestion.words)): <a href=\"\(kept)\"><bdi>\(HTMLText.name(suggestion.query.written))</bdi></a></li>"
        }
        let list = reasons + suggestions
        return "<h2 class=\"page-title\">No message matches</h2>\n"
            + (list.isEmpty ? "" : "<ul class=\"notes\">\(list.joined())</ul>\n") + LeftOut.html(result.page.skipped)
    }
}
