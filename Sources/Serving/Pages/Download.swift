import Bytes
import ChatModel
import HTTPTypes
import Hummingbird
import Operations
import Options
import Reading
import Rendering
import ServiceLifecycle

/// Messages as one file, the oldest first, which is read, made and sent page by page.
struct Download: Sendable {
    enum Format: String, CaseIterable {
        /// A line for each message, as `scrollback history` writes it to a file.
        case text
        /// A JSON object a line, as `scrollback history` and `scrollback search` write it with `--format jsonl`.
        case jsonl
        /// A page that needs no server.
        case html

        var words: String {
            switch self {
            case .text: "text"
            case .jsonl: "JSON lines"
            case .html: "web page"
            }
        }

        var type: String {
            switch self {
            case .text: "text/plain; charset=utf-8"
            case .jsonl: "application/x-ndjson"
            case .html: "text/html; charset=utf-8"
            }
        }

        var fileExtension: String { self == .text ? "txt" : rawValue }
    }

    static let format = Parameter.choice("format", of: Format.self, "The format of the file (default text).")

    let visit: PageVisit
    let format: Format
    let zone: Zone
    /// The title of the page and the name of the file, with names and words that others wrote.
    let title: String
    /// True for the hits of a search: each names its room, and there are no gaps between them.
    let areHits: Bool
    /// Returns the ranges of a body that match the search; nil if nothing is searched.
    var ranges: BodyRanges?
    /// True to include compressed accounts.
    let isCold: Bool
    /// Returns a page.
    let read: @Sendable (ArchiveReading, MessageQuery) throws -> Page

    /// The messages of a page.
    static let pageSize = MessageQuery.limits.upperBound

    /// Returns the response, in a place. An error on the way ends the connection, so that no client takes a part for the whole.
    ///
    /// - Parameter query: The first page.
    func response(_ query: MessageQuery) throws -> Response {
        // Finds what can't be read as long as the answer may have a status.
        _ = try readInPlace(query.with(anchor: query.anchor, limit: 1))
        var headers: HTTPFields = [
            .contentType: format.type, .cacheControl: "no-store",
            .contentDisposition:
                "attachment; filename=\"messages.\(format.fileExtension)\"; filename*=UTF-8''\(PercentCode.encode(name))",
        ]
        guard visit.request.method != .head else {
            headers[.contentLength] = String(try length(query))
            return Response(status: .ok, headers: headers)
        }
        let body = ResponseBody { writer in
            var text = DownloadText(self)
            var walk = PageWalk(query)
            try await write(text.begin, to: &writer)
            while let page = try await next(&walk) { try await write(text.render(page), to: &writer) }
            try await write(text.end(), to: &writer)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Returns the length of the file in bytes, for a request that gets no body. Without a length, the library would answer
    /// that there are 0 bytes.
    private func length(_ query: MessageQuery) throws -> Int {
        var text = DownloadText(self)
        var walk = PageWalk(query)
        var length = text.begin.utf8.count
        while let page = try walk.next(readInPlace) { length += text.render(page).utf8.count }
        return length + text.end().utf8.count
    }

    private func readInPlace(_ query: MessageQuery) throws -> Page {
        try visit.site.readInPlace(as: visit.visitor, cold: isCold) { try read($0, query) }
    }

    /// Reads the next page, which is a turn of the reader's.
    private func next(_ walk: inout PageWalk) async throws -> Page? {
        let page: Page?
        (walk, page) = try await visit.site.read(as: visit.visitor, cold: isCold) { [walk, read] reading in
            var walk = walk
            let page = try walk.next { try read(reading, $0) }
            return (walk, page)
        }
        return page
    }

    /// The name of the file, of at most 200 bytes: file systems take 255, and a browser may add a number.
    private var name: String {
        var name = "\(title).\(format.fileExtension)".replacingScalar("/", with: "_").unicodeScalars[...]
        while String(name).utf8.count > 200 { name.removeFirst() }
        return String(name)
    }

    @concurrent private func write(_ text: String, to writer: inout any ResponseBodyWriter) async throws {
        guard !Task.isShuttingDownGracefully else { throw CancellationError() }
        if case .token(let token, _) = visit.visitor, !visit.site.tokens.isValid(token) { throw CancellationError() }
        try await writer.write(text, countedBy: visit.site.unsent, of: visit.visitor.share)
    }
}

/// The text of a download.
private struct DownloadText {
    private let download: Download
    private var lines: HistoryStream
    private var list: HTMLMessageList
    private var skipped: [SkippedAccount] = []

    init(_ download: Download) {
        self.download = download
        let time = LocalTime(zone: download.zone)
        let text = TextRenderer(
            time: time, style: .plain, now: .now(),
            options: TextRenderer.Options(showsRooms: download.areHits, isOneLine: true))
        lines = HistoryStream(
            HistoryRenderer(
                format: download.format == .jsonl ? .jsonl : .text, text: text,
                nextCommand: NextCommand(subject: [], options: []), ranges: download.ranges), isSearch: download.areHits
        )
        var settings = HTMLMessageList.Settings(zone: download.zone, place: .file)
        settings.showsRooms = download.areHits
        list = HTMLMessageList(settings)
    }

    var begin: String {
        guard download.format == .html else { return "" }
        let zone = HTMLText.line(download.zone == .gmt ? "UTC" : download.zone.identifier)
        let page: HTML =
            HTMLPage.head(title: download.title)
            + "<header>\n<h1><bdi lang=\"\">\(HTMLText.name(download.title))</bdi></h1>\n<p>Times in \(zone)</p>\n</header>\n"
            + "<main lang=\"\">\n"
        return page.text
    }

    mutating func render(_ page: Page) -> String {
        skipped = page.skipped
        guard download.format == .html else { return lines.render(page).output }
        return list.part(page.messages, gaps: download.areHits ? [] : page.gaps).text
    }

    mutating func end() -> String {
        switch download.format {
        case .jsonl: ""
        case .text: LeftOut.text(skipped)
        case .html: (list.end() + LeftOut.html(skipped) + "</main>\n" + HTMLPage.foot).text
        }
    }
}
