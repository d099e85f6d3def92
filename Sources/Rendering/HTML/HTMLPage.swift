/// The parts around the content of a page that is read from a file.
package enum HTMLPage {
    /// A policy that loads and runs nothing. The only style is allowed by its hash; there are no scripts, images or
    /// forms.
    package static let policy =
        "default-src 'none'; style-src '\(HTMLStyle.hash)'; base-uri 'none'; form-action 'none'"

    /// - Parameter title: An untrusted text; it is cut and escaped here.
    package static func head(title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="referrer" content="no-referrer">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(HTMLText.name(title, limit: HTMLText.nameLimit + 100))</title>
        <style>\(HTMLStyle.sheet)</style>
        </head>
        <body>

        """
    }

    package static let foot = "</body>\n</html>\n"

    /// Returns a footer with the links; empty if there are none.
    package static func footer(_ links: [Link]) -> String {
        links.isEmpty ? "" : "<footer>\n\(navigation(links, label: "More pages"))</footer>\n"
    }

    package struct Link: Sendable, Hashable {
        /// A path relative to the page with the link; it is written as an address here.
        var path: String
        var text: String
        /// `prev`, `next` or nil.
        var relation: String?

        package init(path: String, text: String, relation: String? = nil) {
            (self.path, self.text, self.relation) = (path, text, relation)
        }
    }

    package static func navigation(_ links: [Link], label: String) -> String {
        guard !links.isEmpty else { return "" }
        let items = links.map { link in
            let relation = link.relation.map { " rel=\"\($0)\"" } ?? ""
            return "<a\(relation) href=\"\(HTMLText.address(link.path))\">\(HTMLText.escape(link.text))</a>\n"
        }
        return "<nav aria-label=\"\(label)\">\n\(items.joined())</nav>\n"
    }
}
