import ChatModel
import Operations
import Options
import Reading
import Rendering
import SearchText

/// Reads pages and writes them, for `history` and `tail`.
struct HistoryOutput {
    let reading: ArchiveReading
    let reader: ReaderOptions
    let page: PageOptions
    private let given: [String]
    /// The given options that `read` takes, too.
    private let fullScreenOptions: [String]
    private let limit: PageLimit
    /// The room's unread state, when it is opened at its read marker.
    private var unread: UnreadRoom?

    init(
        reading: ArchiveReading, reader: ReaderOptions, page: PageOptions, cold: ColdOption? = nil,
        limit: PageLimit = PageLimit()
    ) {
        (self.reading, self.reader, self.page, self.limit) = (reading, reader, page, limit)
        given = page.given + (cold?.given ?? []) + reader.given
        fullScreenOptions = (cold?.given ?? []) + reader.givenForScreen
    }

    /// The number of read messages above the separator, to show the context.
    private static let context = 3

    /// Returns the query from the room's read marker on; for people, with some messages before it.
    mutating func openAtMarker(_ query: MessageQuery) throws -> MessageQuery {
        let (atMarker, unread) = try HistoryOperation.atMarker(query, in: reading)
        self.unread = unread
        guard let unread, reader.format == .text, !page.isOneLine, unread.firstUnread != nil else { return atMarker }
        let marker = unread.marker
        let before = try query.with(
            anchor: .before(MessageID(marker.time.advanced(byMicroseconds: 1))), limit: Self.context)
        let start = try reading.page(before).messages.first.map { $0.id.time.advanced(byMicroseconds: -1) }
        return try query.with(
            anchor: .after(start.map(MessageID.init) ?? marker),
            limit: min(query.limit + Self.context, MessageQuery.limits.upperBound))
    }

    /// Refuses JSON for following, which has no end, because a JSON document has one.
    static func validateFollowing(_ format: OutputFormat) throws {
        guard format != .json else {
            throw ValidationError("--follow never ends, so it can't print one JSON document; use --format jsonl")
        }
    }

    /// Shows a page of history.
    ///
    /// - Parameter isPaged: Uses the pager on a terminal, for a person who reads from the top.
    /// - Returns: False if the page has no message.
    @discardableResult
    func show(_ query: MessageQuery, selected: RoomSelection.Selected, isPaged: Bool = true) throws -> Bool {
        let page = try reading.page(query)
        let marked = marked(query.anchor, in: page)
        var renderer = renderer(selected, marksHits: marked != nil)
        var rendered = renderer.render(page, marking: marked)
        let place: Pager.Place =
            switch query.anchor {
            case .latest, .before: .end
            case .around: renderer.markedLine(of: rendered).map { .line($0) } ?? .start
            case .after, .oldest, .between, .day: .start
            }
        rendered.notes += more(query.anchor, page, selected) + (unread.map { notes($0, shown: page, selected) } ?? "")
        try isPaged ? reader.write(rendered, at: place) : rendered.write()
        return isFound(!page.messages.isEmpty)
    }

    /// Returns the message that the form for people marks: the one that `--around` names, or the next one.
    private func marked(_ anchor: MessageQuery.Anchor, in page: Page) -> MessageID? {
        guard case .around(let id) = anchor, reader.format == .text, !self.page.isOneLine else { return nil }
        return (page.messages.first { $0.id >= id } ?? page.messages.last)?.id
    }

    /// Returns a line with the command that opens the page of a room on a full screen; empty where there is none.
    private func more(
        _ anchor: MessageQuery.Anchor, _ page: Page, _ selected: RoomSelection.Selected
    ) -> String {
        guard reader.format == .text, !self.page.isOneLine, !selected.hasSeveralRooms, unread == nil,
            Terminal.standardOutput?.hasFullScreen == true, page.older ?? page.newer != nil
        else { return "" }
        let place =
            switch anchor {
            case .latest: nil as MessageID?
            case .around(let id): id
            case .before: page.messages.last?.id
            case .after, .oldest, .between, .day: page.messages.first?.id
            }
        let around = place.map { ["--around", $0.description] } ?? []
        let command = NextCommand.line(["read"] + selected.arguments + around + fullScreenOptions)
        return "more: press \(page.older == nil ? "PgDn" : "PgUp") in \(command)\n"
    }

    /// Shows all messages of the query's time, the oldest first, as they are read.
    ///
    /// - Parameter isPaged: Uses the pager on a terminal.
    /// - Returns: False if there is no message.
    @discardableResult
    func showAll(
        _ query: MessageQuery, selected: RoomSelection.Selected, isPaged: Bool = true
    ) throws -> Bool {
        guard let start = query.anchor.fromOldest else { throw Self.around }
        let reading = reading
        var walk = PageWalk(try query.with(anchor: start))
        var stream = HistoryStream(renderer(selected), isSearch: false)
        var last: Page?
        try reader.stream(isPaged: isPaged) { write in
            while let page = try walk.next({ try reading.page($0) }) {
                try write(stream.render(page))
                if !page.messages.isEmpty { last = page }
            }
            try write(stream.end())
            if let unread, let last { try write(Rendered(notes: notes(unread, shown: last, selected))) }
        }
        return isFound(stream.messages > 0)
    }

    static let around = ValidationError("--around needs a number of messages; replace -n all with a number")

    /// Reports an empty answer.
    private func isFound(_ isFound: Bool) -> Bool {
        if let unread, unread.firstUnread == nil {
            StandardStream.note(EmptyResult.nothingUnread(folder: reading.folder))
            return false
        }
        if !isFound { StandardStream.note(EmptyResult.noMessages(folder: reading.folder)) }
        return isFound
    }

    /// Returns the suggested commands: for late messages before the marker, and for marking the shown ones as read.
    private func notes(_ unread: UnreadRoom, shown page: Page, _ selected: RoomSelection.Selected) -> String {
        let next = NextCommand(subject: selected.arguments, options: reader.folder.given)
        let late = unread.firstLate.map {
            "\(Int(unread.late).of("unread message")) arrived late, before the last one you read: "
                + "\(next.line("history", "--around", $0))\n"
        }
        let last = page.messages.last.map(\.id).flatMap { $0 > unread.marker ? $0 : nil }
        let mark = last.map { "mark as read: \(next.line("mark-read", "--to", $0))\n" }
        return (late ?? "") + (mark ?? "")
    }

    func showNothing(_ reason: String) throws {
        var renderer = renderer(nil)
        try renderer.render(Page(messages: [], older: nil, newer: nil, gaps: [])).write()
        StandardStream.note(reason)
    }

    /// Shows the query's messages, and new messages as they come.
    ///
    /// - Parameters:
    ///   - search: The search that the messages have to match; nil for all messages.
    ///   - skipsHistory: Shows only new messages.
    func follow(
        _ query: MessageQuery, selected: RoomSelection.Selected, matching search: SearchScope? = nil,
        skipsHistory: Bool = false
    ) async throws {
        var renderer = renderer(selected, matching: search)
        for try await followed in reading.feeds.follow(query, matching: search, skipsHistory: skipsHistory) {
            try renderer.render(followed).write()
        }
    }

    private func renderer(
        _ selected: RoomSelection.Selected?, matching search: SearchScope? = nil, marksHits: Bool = false
    ) -> HistoryRenderer {
        var text = TextRenderer(
            time: LocalTime(zone: reader.zone), style: reader.style, now: .now(),
            options: TextRenderer.Options(
                showsRooms: selected?.hasSeveralRooms ?? true, showsIDs: page.ids, unfolds: page.unfold,
                marksHits: marksHits, isOneLine: page.isOneLine),
            separator: unread.flatMap { $0.firstUnread == nil ? nil : ReadSeparator($0) },
            width: { Terminal.standardOutput?.width() })
        let ranges = search.map { Highlighter($0.query).ranges }
        if reader.style.isColored { text.matches = ranges }
        return HistoryRenderer(
            format: reader.format, text: text,
            nextCommand: NextCommand(
                subject: selected?.arguments ?? [], options: given, before: limit.before, until: limit.until),
            ranges: ranges)
    }
}
