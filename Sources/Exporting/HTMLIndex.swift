import ChatModel
import Rendering

extension HTMLExport {
    package static func companions(of contents: ExportContents) -> [ExportCompanion] {
        HTMLIndex(contents).files
    }
}

/// The pages that link to the months: `index.html`, further ones when there are thousands of rooms, and one for each
/// room with years of months.
struct HTMLIndex {
    private let contents: ExportContents
    private let index: RoomIndex
    private let time: LocalTime

    init(_ contents: ExportContents) {
        self.contents = contents
        index = RoomIndex(contents)
        time = LocalTime(zone: contents.settings.zone)
    }

    /// The most bytes of entries in one page, so that a phone shows it at once.
    static let pageLimit = 500_000
    /// The limit of months of a room in the index; a room with more has its own page.
    static let monthLimit = 24
    /// The limit of described gaps of a room.
    static let gapLimit = 50

    var files: [ExportCompanion] {
        pages(
            of: contents.rooms.map(entry), named: "index", title: Self.title(contents.settings), above: summary)
            + contents.rooms.filter { $0.months.count > Self.monthLimit }.flatMap(ownPages)
    }

    static func title(_ settings: ExportSettings) -> String { settings.title ?? "Rooms of \(settings.account)" }

    // MARK: Pages

    private func ownPages(of room: ExportContents.Room) -> [ExportCompanion] {
        pages(
            of: room.months.map { "<li>\(month($0, folder: ""))</li>\n" as HTML }, named: room.folder + "/index",
            title: room.name,
            above: "<p>\(facts(room))</p>\n" + gaps(room), back: HTMLPage.pathToRoot(from: room.folder) + "index.html",
            listClass: "months")
    }

    /// Returns `index.html`, `index.2.html` and so on.
    private func pages(
        of entries: [HTML], named name: String, title: String, above: HTML, back: String? = nil,
        listClass: String = "rooms"
    ) -> [ExportCompanion] {
        let pages = Self.cut(entries)
        let own = name.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? name
        return pages.enumerated().map { index, entries in
            let up = back.map { [HTMLPage.Link(path: $0, text: "All rooms")] } ?? []
            let page: HTML =
                HTMLPage.head(title: title) + "<header>\n" + HTMLPage.navigation(up, label: "Index")
                + "<h1><bdi lang=\"\">\(HTMLText.name(title))</bdi></h1>\n"
                + "<p>\(HTMLPage.origin(contents.settings, showsTitle: back != nil))</p>\n</header>\n<main>\n"
                + (index == 0 ? above : "")
                + "<ul class=\"\(listClass)\">\n" + entries.joined() + "</ul>\n</main>\n"
                + HTMLPage.footer(Self.links(own, index, pages.count))
                + HTMLPage.foot
            return ExportCompanion(path: Self.file(name, index), contents: page.text)
        }
    }

    /// Cuts entries into pages; at least one.
    private static func cut(_ entries: [HTML]) -> [ArraySlice<HTML>] {
        var (pages, start, size): ([ArraySlice<HTML>], Int, Int) = ([], 0, 0)
        for (index, entry) in entries.enumerated() {
            if size > 0, size + entry.text.utf8.count > pageLimit {
                pages.append(entries[start..<index])
                (start, size) = (index, 0)
            }
            size += entry.text.utf8.count
        }
        return pages + [entries[start...]]
    }

    private static func file(_ name: String, _ index: Int) -> String {
        "\(name)\(index == 0 ? "" : ".\(index + 1)").html"
    }

    private static func links(_ name: String, _ index: Int, _ count: Int) -> [HTMLPage.Link] {
        var links: [HTMLPage.Link] = []
        if index > 0 {
            links.append(HTMLPage.Link(path: file(name, index - 1), text: "← Page \(index)", relation: "prev"))
        }
        if index + 1 < count {
            let text = "Page \(index + 2) of \(count) →"
            links.append(HTMLPage.Link(path: file(name, index + 1), text: text, relation: "next"))
        }
        return links
    }

    // MARK: Facts about rooms and months

    private var summary: HTML {
        "<p>\(contents.rooms.count.of("room")), \(index.messages.of(.message))</p>\n"
    }

    private func entry(_ room: ExportContents.Room) -> HTML {
        let name: HTML = "<bdi lang=\"\">\(HTMLText.name(RoomIndex.name(room)))</bdi>"
        let isLong = room.months.count > Self.monthLimit
        let last = room.months.last?.files.first ?? "index.html"
        let path = HTMLText.address("\(room.folder)/\(isLong ? "index.html" : last)")
        let months: HTML =
            isLong
            ? "<p><a href=\"\(path)\">\(room.months.count.grouped) months</a></p>\n"
            : "<ul class=\"months\">\n"
                + room.months.map { "<li>\(month($0, folder: room.folder + "/"))</li>\n" as HTML }.joined() + "</ul>\n"
        let heading: HTML = room.months.isEmpty ? name : "<a href=\"\(path)\">\(name)</a>"
        return "<li>\n<h2>\(heading)</h2>\n<p>\(facts(room))</p>\n"
            + removals(room) + "\(months)\(gaps(room))</li>\n"
    }

    private func removals(_ room: ExportContents.Room) -> HTML {
        index.removals(room).map { "<p>Removed: \($0)</p>\n" as HTML }.joined()
    }

    /// Returns a line such as `1,203 messages, 2026-01-03 to 2026-11-21`.
    private func facts(_ room: ExportContents.Room) -> HTML {
        let count = RoomIndex.messages(room).of(.message)
        guard let (from, to) = index.days(room) else { return "\(count)" }
        let range: HTML = from == to ? Self.day(from) : "\(Self.day(from)) to \(Self.day(to))"
        return "\(count), \(range)"
    }

    private static func day(_ day: String) -> HTML {
        "<time datetime=\"\(day)\">\(day)</time>"
    }

    private func month(_ month: ExportContents.Month, folder: String) -> HTML {
        let pages = month.files.count > 1 ? ", \(month.files.count.grouped) pages" : ""
        let path = HTMLText.address(folder + (month.files.first ?? ""))
        return "<a href=\"\(path)\">\(month.month.inWords)</a> <small>\(month.messages.grouped)\(pages)</small>"
    }

    /// Returns the gaps of a room. The time after the account left the room does not count.
    private func gaps(_ room: ExportContents.Room) -> HTML {
        let gaps = RoomIndex.gaps(room)
        guard !gaps.isEmpty else { return "" }
        let sentences = gaps.prefix(Self.gapLimit).map { gap -> HTML in
            "<li>\(MessageRemarks.sentence(gap, time: time, shownDay: nil))</li>\n"
        }
        let rest = gaps.count - sentences.count
        return "<details><summary>\(gaps.count.of("gap"))</summary>\n<ul>\n" + sentences.joined()
            + (rest > 0 ? "<li>and \(rest.grouped) more</li>\n" : "") + "</ul></details>\n"
    }
}
