import ChatModel
import FoundationEssentials
import Glibc
import Reading
import Rendering

/// The bytes of a document, passed on in parts of about 256 KiB.
struct DocumentOutput {
    let write: (ArraySlice<UInt8>) throws -> Void
    private var buffer: [UInt8] = []
    /// The number of bytes so far, including buffered ones.
    private(set) var bytes: Int64 = 0

    private static let bufferSize = 256 * 1024

    init(write: @escaping (ArraySlice<UInt8>) throws -> Void) {
        self.write = write
    }

    mutating func append(_ utf8: some Collection<UInt8>) throws {
        bytes += Int64(utf8.count)
        buffer += utf8
        if buffer.count >= Self.bufferSize { try flush() }
    }

    mutating func append(_ html: HTML) throws { try append(html.text.utf8) }

    mutating func flush() throws {
        guard !buffer.isEmpty else { return }
        try write(buffer[...])
        buffer.removeAll(keepingCapacity: true)
    }
}

/// The parts of a ``SingleDocument`` in their order.
struct DocumentWriter {
    private let document: SingleDocument
    private let settings: ExportSettings
    private var output: DocumentOutput
    private var pictures: DocumentPictures
    private var report = SingleDocument.Report()
    /// The number of messages that were removed from the rooms.
    private var removed: Int64 = 0

    init(_ document: SingleDocument, output: DocumentOutput) {
        (self.document, self.output) = (document, output)
        let (source, request) = (document.source, document.request)
        settings = ExportSettings(
            account: source.account.name, network: source.account.network, zone: request.zone, title: request.givenTitle
        )
        pictures = DocumentPictures(source: source, limits: document.limits)
    }

    // MARK: Beginning and end

    mutating func begin(_ rooms: [ExportPlan.PlannedRoom]) throws {
        let only = rooms.count == 1 ? rooms.first : nil
        let title = settings.title ?? only.map { $0.name.isEmpty ? "(no name)" : $0.name } ?? HTMLIndex.title(settings)
        let about: HTML? = only.flatMap {
            settings.title == nil ? nil : "<bdi lang=\"\">\(HTMLText.name($0.name))</bdi>, "
        }
        try output.append(
            HTMLPage.head(title: title, media: .inside) + "<header>\n"
                + "<h1><bdi lang=\"\">\(HTMLText.name(title))</bdi></h1>\n"
                + "<p>\(about ?? "")\(HTMLPage.origin(settings, showsTitle: false))</p>\n\(Self.contents(rooms))"
                + "</header>\n<main lang=\"\">\n" + (rooms.isEmpty ? Self.noMessages : ""))
    }

    private static let noMessages: HTML = "<p lang=\"en\">No messages</p>\n"

    /// Returns links to the months of the only room, or to the rooms; folded if there are many.
    private static func contents(_ rooms: [ExportPlan.PlannedRoom]) -> HTML {
        let places =
            rooms.count == 1
            ? rooms[0].months.map { ($0.anchor, $0.unit.month.inWords) }
            : rooms.map { ($0.anchor, $0.name.isEmpty ? "(no name)" : $0.name) }
        guard places.count > 1 else { return "" }
        let links = places.map { "<a href=\"#\($0.0)\"><bdi>\(HTMLText.name($0.1))</bdi></a>\n" as HTML }.joined()
        let list: HTML = "<nav aria-label=\"Contents\">\n\(links)</nav>\n"
        guard places.count > unfolded else { return list }
        let count = places.count.of(rooms.count == 1 ? "month" : "room")
        return "<details class=\"toc\"><summary>\(count)</summary>\n\(list)</details>\n"
    }

    /// The most links that stand above the messages unfolded: some lines of a phone.
    private static let unfolded = 12

    /// Writes the end with the facts about the document, and returns them.
    mutating func end() throws -> SingleDocument.Report {
        report.leftOut = pictures.leftOut
        let lines = [facts] + report.leftOut.lines(document.limits).map { "Left out: \($0)" }
        try output.append(
            "</main>\n<footer>\n" + lines.map { "<p>\($0)</p>\n" as HTML }.joined() + "</footer>\n"
                + HTMLPage.foot)
        try output.flush()
        report.bytes = output.bytes
        return report
    }

    /// A text such as `1,203 messages, 2026-01-03 to 2026-11-21, 2 pictures (1.2 MB)`.
    private var facts: String {
        var facts = [report.messages.of(.message)]
        if let first = report.first, let last = report.last {
            let time = LocalTime(zone: settings.zone)
            let days = (time.day(first.time), time.day(last.time))
            facts.append(days.0 == days.1 ? days.0 : "\(days.0) to \(days.1)")
        }
        if removed > 0 { facts.append("\(removed.grouped) removed") }
        if report.pictures.count > 0 { facts.append(report.pictures.text("picture")) }
        return facts.joined(separator: ", ")
    }

    // MARK: Messages

    /// - Parameter isAlone: True if the document has no other room, so that its title names it.
    mutating func writeRoom(_ room: ExportPlan.PlannedRoom, isAlone: Bool) throws {
        if !isAlone {
            let name: HTML = room.name.isEmpty ? "(no name)" : HTMLText.name(room.name)
            try output.append("<h2 class=\"chat\" id=\"\(room.anchor)\"><bdi>\(name)</bdi></h2>\n")
        }
        if room.months.isEmpty, room.removals.isEmpty { try output.append(Self.noMessages) }
        var settings = HTMLMessageList.Settings(zone: settings.zone, place: .file)
        settings.dayID = "\(room.anchor)-"
        var list = HTMLMessageList(settings)
        if !room.removals.isEmpty {
            for removal in room.removals { try writeItem(.gap(removal), to: &list) }
            try output.append(list.end())
        }
        let pages = ExportPages(of: room.months, from: document.source, isExact: false)
        for month in room.months {
            try output.append("<div id=\"\(month.anchor)\">\n")
            let items = MonthItems(month: month, pages: pages, isStopped: document.isStopped)
            try items.each { item in
                try writeItem(item, to: &list)
            } pageRead: { _ in
                document.progress(report.messages)
            }
            try output.append(list.end() + "</div>\n")
        }
    }

    private mutating func writeItem(_ item: ExportItem, to list: inout HTMLMessageList) throws {
        switch item {
        case .gap(let gap):
            removed = removed.adding(gap.purge?.count ?? 0)
            try output.append(list.render(gap))
        case .message(let message, _):
            report.messages += 1
            report.first = min(report.first ?? message.id, message.id)
            report.last = max(report.last ?? message.id, message.id)
            let choice = pictures.choose(message.attachments)
            list.copies = choice.copies
            try writeHTML(list.render(message), choice.pictures)
        }
    }

    /// Writes HTML with the bytes of its pictures.
    private mutating func writeHTML(_ html: HTML, _ chosen: [String: DocumentPictures.Picture]) throws {
        guard !chosen.isEmpty else { return try output.append(html) }
        var (isPicture, rest) = (false, chosen)
        for part in html.text.utf8.split(separator: DocumentPictures.mark, omittingEmptySubsequences: false) {
            let hash = isPicture ? String(Substring(part)) : ""
            if let picture = chosen[hash] {
                try writePicture(picture)
                rest[hash] = nil
            } else if !isPicture {
                try output.append(part)
            }
            isPicture.toggle()
        }
        for picture in rest.values { pictures.leftOut.notShown.add(picture.size) }
    }

    /// Writes a picture as Base64 (RFC 4648 §4).
    private mutating func writePicture(_ picture: DocumentPictures.Picture) throws {
        var size: Int64 = 0
        do {
            let file = StoredBytes(path: picture.path)
            try file?.each(SingleDocument.chunk) { bytes in
                size += Int64(bytes.count)
                try output.append(Data(bytes).base64EncodedData())
            }
        } catch let error as POSIXError {
            throw ExportError(
                .export, "\(Sanitizer.line(picture.path)): \(String(cString: strerror(error.code.rawValue)))",
                hint: "to list damaged files: scrollback archive check")
        }
        guard size == picture.size else {
            throw ExportError(
                .export, "\(Sanitizer.line(picture.path)) changed while it was read", hint: "repeat the command")
        }
        report.pictures.add(size)
    }
}

extension ExportPlan.PlannedRoom {
    /// The id of the room's heading.
    fileprivate var anchor: String { "r\(id)" }
}

extension ExportPlan.Month {
    /// The id of the month's part.
    fileprivate var anchor: String { "r\(unit.roomID)-\(unit.month)" }
}
