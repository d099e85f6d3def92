import ChatModel

/// The files of a message: on a server, archived pictures, videos and sounds in place, and other archived files as
/// links.
struct HTMLFiles {
    let files: [Attachment]
    let place: HTMLPlace

    var html: String {
        guard !files.isEmpty else { return "" }
        guard place != .file else { return list(files) }
        let shown = files.filter { Self.element($0) != nil }
        let pictures = HTMLText.some(shown, count: 100, bytes: 100_000, piece: Self.figure) {
            "<p class=\"k\">and \($0.grouped) more files</p>"
        }
        return (pictures.isEmpty ? "" : "<div class=\"pics\">\(pictures.joined())</div>")
            + list(files.filter { Self.element($0) == nil })
    }

    private func list(_ files: [Attachment]) -> String {
        Self.list(files, class: "x", piece: file) { "and \($0.grouped) more files" }
    }

    /// Returns a list with as many elements as a page has room for; empty without elements.
    static func list<Element>(
        _ elements: [Element], class name: String, piece: (Element) -> String, rest: (Int) -> String
    ) -> String {
        guard !elements.isEmpty else { return "" }
        let shown = HTMLText.some(elements, count: 100, bytes: 100_000, piece: piece, rest: rest)
        return "<ul class=\"\(name)\">" + shown.map { "<li>\($0)</li>" }.joined() + "</ul>"
    }

    private func file(_ file: Attachment) -> String {
        let name = HTMLText.name(file.name)
        let size = file.size.map { ", \(ByteCount($0))" } ?? ""
        if place != .file, let address = Self.archived(file) {
            return "<a href=\"\(address)\"><bdi>\(name)</bdi></a> (\(file.kind.rawValue)\(size))"
        }
        let state = place == .file ? "" : ", \(AttachmentText.state(file.state))"
        guard BodyLink.isLink(file.path) else { return "<bdi>\(name)</bdi> (\(file.kind.rawValue)\(size)\(state))" }
        // The file's name alone could look like another site.
        let host = HTMLText.name(BodyLink.host(file.path))
        return HTMLText.link(file.path, text: "<bdi>\(name)</bdi>") + " (\(file.kind.rawValue)\(size), \(host)\(state))"
    }

    // MARK: In place

    private enum Element {
        case picture, video, sound
    }

    /// Returns the address of an archived file; nil for others.
    private static func archived(_ file: Attachment) -> String? {
        guard file.state == .fetched, let hash = file.sha256 else { return nil }
        return HTMLAddress.file(hash)
    }

    /// Returns the element that shows a file; nil for files that browsers don't show.
    private static func element(_ file: Attachment) -> Element? {
        guard file.state == .fetched, file.sha256 != nil else { return nil }
        let ending = file.name.split(separator: ".").dropFirst().last?.lowercased() ?? ""
        return switch ending {
        case "png", "jpg", "jpeg", "gif", "webp", "avif", "bmp": .picture
        case "mp4", "m4v", "webm", "mov": .video
        case "mp3", "ogg", "opus", "oga", "m4a", "wav", "flac", "aac": .sound
        default: nil
        }
    }

    private static func figure(_ file: Attachment) -> String {
        guard let address = archived(file), let element = element(file) else { return "" }
        let name = HTMLText.name(file.name)
        switch element {
        case .picture:
            return "<a href=\"\(address)\"><img src=\"\(address)\" alt=\"\(name)\" title=\"\(name)\" loading=\"lazy\" "
                + "decoding=\"async\"></a>"
        case .video:
            return "<video controls preload=\"none\" src=\"\(address)\" aria-label=\"\(name)\"></video>"
        case .sound:
            return "<figure><figcaption><bdi>\(name)</bdi></figcaption>"
                + "<audio controls preload=\"none\" src=\"\(address)\" aria-label=\"\(name)\"></audio></figure>"
        }
    }
}
