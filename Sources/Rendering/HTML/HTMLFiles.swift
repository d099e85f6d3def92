import ChatModel

/// A stored file's place for a page that is read without a server.
package enum FileCopy: Sendable, Hashable {
    /// A file beside the page.
    ///
    /// - Parameter address: Its relative address, percent-encoded. The ending shows what the file is.
    case beside(address: String)
    /// A picture within the page.
    ///
    /// - Parameter source: Its `data:` URL, or a part that stands for it; safe in an attribute's quotes.
    case inside(source: String)
    /// A file that did not come with the page.
    ///
    /// - Parameter reason: The reason, in safe words.
    case leftOut(reason: String)
}

/// The files of a message: pictures, videos and sounds in place, and other files as links.
///
/// On a server these are the archived files. In a file they are the copies; without copies, all files are only named.
package struct HTMLFiles {
    let files: [Attachment]
    let place: HTMLPlace
    /// The copies by file; empty on a server, and in a page without copies.
    var copies: [Attachment: FileCopy] = [:]

    /// The bytes of pictures and of other files. An exported page has room for 100,000 bytes of both.
    private var limit: Int { place == .file && !copies.isEmpty ? 50_000 : 100_000 }

    var html: HTML {
        guard !files.isEmpty else { return "" }
        guard place != .file || !copies.isEmpty else { return list(files) }
        let shown = files.filter { source($0) != nil }
        let pictures = HTMLText.some(shown, count: 100, bytes: limit, piece: figure) {
            "<p class=\"k\">and \($0.grouped) more files</p>"
        }
        return (pictures.isEmpty ? "" : "<div class=\"pics\">\(pictures.joined())</div>")
            + list(files.filter { source($0) == nil })
    }

    private func list(_ files: [Attachment]) -> HTML {
        Self.list(files, class: "x", bytes: limit, piece: file) { "and \($0.grouped) more files" }
    }

    /// Returns a list with as many elements as a page has room for; empty without elements.
    static func list<Element>(
        _ elements: [Element], class name: String, bytes: Int = 100_000, piece: (Element) -> HTML,
        rest: (Int) -> HTML
    ) -> HTML {
        guard !elements.isEmpty else { return "" }
        let shown = HTMLText.some(elements, count: 100, bytes: bytes, piece: piece, rest: rest)
        return "<ul class=\"\(name)\">" + shown.map { "<li>\($0)</li>" as HTML }.joined() + "</ul>"
    }

    private func file(_ file: Attachment) -> HTML {
        let name = HTMLText.name(file.name)
        let size = file.size.map { ", \(ByteCount($0))" } ?? ""
        if let address = address(file) {
            return "<a href=\"\(address)\"><bdi>\(name)</bdi></a> (\(file.kind.rawValue)\(size))"
        }
        let state = reason(file).map { ", \($0)" } ?? ""
        guard BodyLink.isLink(file.path) else { return "<bdi>\(name)</bdi> (\(file.kind.rawValue)\(size)\(state))" }
        // The file's name alone could look like another site.
        let host = HTMLText.name(BodyLink.host(file.path))
        return HTMLText.link(file.path, text: "<bdi>\(name)</bdi>") + " (\(file.kind.rawValue)\(size), \(host)\(state))"
    }

    /// Returns the reason why the page has no bytes of the file; nil for a page without copies.
    private func reason(_ file: Attachment) -> String? {
        if place != .file { return AttachmentText.state(file) }
        guard case .leftOut(let reason)? = copies[file] else { return nil }
        return reason
    }

    // MARK: In place

    /// Returns true for a name of a picture that browsers show.
    package static func isPicture(_ name: String) -> Bool { Element(name: name) == .picture }

    private enum Element {
        case picture, video, sound

        /// Returns the element that shows a file with this name; nil for files that browsers don't show.
        init?(name: String) {
            let ending = name.split(separator: ".").dropFirst().last?.lowercased() ?? ""
            switch ending {
            case "png", "jpg", "jpeg", "gif", "webp", "avif", "bmp": self = .picture
            case "mp4", "m4v", "webm", "mov": self = .video
            case "mp3", "ogg", "opus", "oga", "m4a", "wav", "flac", "aac": self = .sound
            default: return nil
            }
        }
    }

    /// Returns the address of a file's bytes; nil if the page has none, or has them inside.
    private func address(_ file: Attachment) -> String? {
        if case .beside(let address)? = copies[file] { return address }
        guard place != .file, file.state == .fetched, let hash = file.sha256 else { return nil }
        return HTMLAddress.file(hash)
    }

    /// Returns the element that shows a file, and the address of the bytes; nil for a file that is not shown in place.
    private func source(_ file: Attachment) -> (element: Element, address: String)? {
        if case .inside(let source)? = copies[file] { return (.picture, source) }
        guard let address = address(file) else { return nil }
        // A copy's name has an ending of a known kind, also if the file's own name has none.
        return Element(name: place == .file ? address : file.name).map { ($0, address) }
    }

    private func figure(_ file: Attachment) -> HTML {
        guard let (element, address) = source(file) else { return "" }
        let name = HTMLText.name(file.name)
        switch element {
        case .picture:
            let picture: HTML =
                "<img src=\"\(address)\" alt=\"\(name)\" title=\"\(name)\" loading=\"lazy\" decoding=\"async\">"
            // A browser opens no data: URL as a page.
            return self.address(file).map { "<a href=\"\($0)\">\(picture)</a>" } ?? picture
        case .video:
            return "<video controls preload=\"none\" src=\"\(address)\" aria-label=\"\(name)\"></video>"
        case .sound:
            return "<figure><figcaption><bdi>\(name)</bdi></figcaption>"
                + "<audio controls preload=\"none\" src=\"\(address)\" aria-label=\"\(name)\"></audio></figure>"
        }
    }
}
