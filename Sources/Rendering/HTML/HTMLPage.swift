/// The parts around the content of a page that is read from a file.
package enum HTMLPage {
    /// The files that a page shows.
    package enum Media: Sendable, Hashable {
        /// None: files are only named.
        case none
        /// Files beside the page.
        case beside
        /// Pictures within the page.
        case inside
    }

    /// The beginning of every policy: a page loads nothing except what the rest of the policy allows.
    package static let policyBeginning: HTML = "default-src 'none'; style-src "

    /// Returns a policy that loads and runs nothing. The only styles are allowed by their hashes; there are no scripts or
    /// forms, and no pictures except the page's own files.
    package static func policy(_ media: Media = .none) -> HTML {
        let closed: HTML = "; base-uri 'none'; form-action 'none'"
        let own: HTML = "\(policyBeginning)'\(HTMLStyle.hash)'"
        let both = own + " '\(HTMLStyle.mediaHash)'"
        switch media {
        case .none: return own + closed
        // Not every browser counts a file beside a page from disk as 'self'.
        case .beside: return both + "; img-src 'self' file:; media-src 'self' file:" + closed
        case .inside: return both + "; img-src data:" + closed
        }
    }

    /// The beginning of every page, before its policy.
    package static let beginning: HTML = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="
        """

    /// - Parameter title: An untrusted text; it is cut and escaped here.
    package static func head(title: String, media: Media = .none) -> HTML {
        """
        \(beginning)\(policy(media))">
        <meta name="referrer" content="no-referrer">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(HTMLText.name(title, limit: HTMLText.nameLimit + 100))</title>
        <style>\(styleSheet: HTMLStyle.sheet)</style>\(media == .none ? "" : "\n<style>\(styleSheet: HTMLStyle.media)</style>")
        </head>
        <body>

        """
    }

    package static let foot: HTML = "</body>\n</html>\n"

    /// Returns a footer with the links; empty if there are none.
    package static func footer(_ links: [Link]) -> HTML {
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

    package static func navigation(_ links: [Link], label: String) -> HTML {
        guard !links.isEmpty else { return "" }
        let items = links.map { link -> HTML in
            let relation: HTML = link.relation.map { " rel=\"\($0)\"" } ?? ""
            return "<a\(relation) href=\"\(HTMLText.address(link.path))\">\(link.text)</a>\n"
        }
        return "<nav aria-label=\"\(label)\">\n\(items.joined())</nav>\n"
    }
}
