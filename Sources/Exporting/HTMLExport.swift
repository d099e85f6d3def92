import ChatModel
import FoundationEssentials
import Rendering

/// Pages for a browser: readable from disk, without scripts, in light and dark colours, and on any screen.
package struct HTMLExport: ExportFormat {
    package static let name = "html"
    package static let fileExtension = "html"
    package static let partLimit: Int? = 1_000_000
    package static let hasTitle = true

    private let unit: ExportUnit
    private let settings: ExportSettings
    /// The messages of this part.
    private var list: HTMLMessageList

    package init(_ unit: ExportUnit, of export: ExportSettings) {
        (self.unit, settings) = (unit, export)
        list = HTMLMessageList(HTMLMessageList.Settings(zone: export.zone, place: .file))
    }

    package mutating func begin(part: Int) -> String {
        list = HTMLMessageList(HTMLMessageList.Settings(zone: settings.zone, place: .file))
        let number = part > 1 ? ", part \(part)" : ""
        let room = HTMLText.name(unit.room)
        let title = MessageRemarks.cut(unit.room, to: HTMLText.nameLimit) + ", \(unit.month.inWords)\(number)"
        let whole = settings.title.map { "\(title), \(MessageRemarks.cut($0, to: HTMLText.nameLimit))" } ?? title
        let page: HTML =
            HTMLPage.head(title: whole, media: HTMLPage.media(settings))
            + "<header>\n" + HTMLPage.navigation(links(part: part), label: "Pages")
            + "<h1><bdi lang=\"\">\(room)</bdi> <span>\(unit.month.inWords)\(number)</span></h1>\n"
            + "<p>\(HTMLPage.origin(settings))</p>\n</header>\n<main lang=\"\">\n"
        return page.text
    }

    package mutating func end(part: Int, hasMore: Bool) -> String {
        (list.end() + "</main>\n" + HTMLPage.footer(links(part: part, hasMore: hasMore)) + HTMLPage.foot).text
    }

    package mutating func render(_ item: ExportItem) -> String {
        switch item {
        case .message(let message, _):
            let face = message.sender?.picture.flatMap { $0.format == nil ? nil : $0.file }
            let files = message.attachments + [face].compactMap(\.self)
            list.copies = settings.files?.copies(of: files, from: unit.folder) ?? [:]
            return list.render(message).text
        case .gap(let gap): return list.render(gap).text
        }
    }

    // MARK: Links to other pages

    /// - Parameter hasMore: Nil above the messages, because it is unknown there if another part follows.
    private func links(part: Int, hasMore: Bool? = nil) -> [HTMLPage.Link] {
        func file(_ month: CalendarMonth, _ part: Int = 1) -> String {
            ExportUnit.fileName(month, part: part, fileExtension: Self.fileExtension)
        }
        var links = [HTMLPage.Link(path: HTMLPage.pathToRoot(from: unit.folder) + "index.html", text: "All rooms")]
        if part > 1 {
            let text = "← \(unit.month.inWords), part \(part - 1)"
            links.append(HTMLPage.Link(path: file(unit.month, part - 1), text: text, relation: "prev"))
        } else if let previous = unit.previous {
            links.append(HTMLPage.Link(path: file(previous), text: "← \(previous.inWords)", relation: "prev"))
        }
        if hasMore == true {
            let text = "\(unit.month.inWords), part \(part + 1) →"
            links.append(HTMLPage.Link(path: file(unit.month, part + 1), text: text, relation: "next"))
        } else if let next = unit.next {
            let relation = hasMore == nil ? nil : "next"
            links.append(HTMLPage.Link(path: file(next), text: "\(next.inWords) →", relation: relation))
        }
        return links
    }
}

extension HTMLPage {
    /// Returns the path from a room's folder to the export's.
    static func pathToRoot(from folder: String) -> String {
        String(repeating: "../", count: folder.utf8.split(separator: UInt8(ascii: "/")).count)
    }

    static func media(_ settings: ExportSettings) -> Media { settings.files == nil ? .none : .beside }

    /// Returns a text such as `demo on irc; times in Europe/Berlin`, or `kakaotalk, imported chats; times in Asia/Seoul`,
    /// after the title of the export if it has one.
    ///
    /// - Parameter showsTitle: False where the title is already shown.
    static func origin(_ settings: ExportSettings, showsTitle: Bool = true) -> HTML {
        let title: HTML = showsTitle ? settings.title.map { "<bdi lang=\"\">\(HTMLText.name($0))</bdi>: " } ?? "" : ""
        return "\(title)\(HTMLText.name(settings.account))\(HTMLText.name(settings.origin)); "
            + "times in \(HTMLText.line(settings.zone.identifier))"
    }
}
