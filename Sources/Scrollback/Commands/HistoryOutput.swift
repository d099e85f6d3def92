import Archive
import ArgumentParser
import ChatModel

/// Asks for pages and writes them: what `history` and `tail` share.
struct HistoryOutput {
    let archive: Archive
    let reader: ReaderOptions
    let page: PageOptions
    /// Of the room, when it is opened at its read marker.
    private var unread: UnreadRoom?

    init(archive: Archive, reader: ReaderOptions, page: PageOptions) {
        self.archive = archive
        self.reader = reader
        self.page = page
    }

    /// What a person sees above the separator, to know where the talk was.
    private static let context = 3

    /// The query from the room's read marker on; for people with some messages before it.
    mutating func openAtMarker(_ query: MessageQuery) async throws -> MessageQuery {
        guard case .room(let account, let room) = query.scope,
            let unread = try await archive.unread(account: account, room: room).first
        else { return query }
        self.unread = unread
        let marker = unread.readThrough ?? MessageID(microseconds: .min)
        guard reader.format == .text, unread.firstUnread != nil else { return try query.with(anchor: .after(marker)) }
        let before = try query.with(
            anchor: .before(MessageID(marker.time.advanced(byMicroseconds: 1))), limit: Self.context)
        let start = try await archive.page(before).messages.first.map { $0.id.time.advanced(byMicroseconds: -1) }
        return try query.with(
            anchor: .after(start.map(MessageID.init) ?? marker),
            limit: min(query.limit + Self.context, MessageQuery.limits.upperBound))
    }

    /// One JSON document has an end, and what is followed has none.
    static func validateFollowing(_ format: OutputFormat) throws {
        guard format != .json else {
            throw ValidationError("--follow has no end, so it can't be one JSON document: use --format jsonl")
        }
    }

    func show(_ query: MessageQuery, selected: RoomSelection.Selected) async throws {
        let page = try await archive.page(query)
        var renderer = renderer(selected)
        try renderer.render(page).write()
        if page.messages.isEmpty {
            StandardStream.note(
                unread == nil
                    ? EmptyResult.noMessages(folder: archive.folder) : EmptyResult.nothingUnread(folder: archive.folder)
            )
        }
        if let unread { note(unread, shown: page, selected) }
    }

    /// What to type next: for what stands before the marker, and for what was shown.
    private func note(_ unread: UnreadRoom, shown page: Page, _ selected: RoomSelection.Selected) {
        let next = NextCommand(subject: selected.arguments, options: reader.folder.given)
        if let late = unread.firstLate {
            StandardStream.note(
                "\(unread.late) arrived late, from here on: \(next.line("history", "--around", late))\n")
        }
        if let last = page.messages.last?.id, last > unread.readThrough ?? MessageID(microseconds: .min) {
            StandardStream.note("mark as read: \(next.line("mark-read", "--to", last))\n")
        }
    }

    func showNothing(_ reason: String) throws {
        var renderer = renderer(nil)
        try renderer.render(Page(messages: [], older: nil, newer: nil, gaps: [])).write()
        StandardStream.note(reason)
    }

    /// What the query finds, and what comes.
    func follow(_ query: MessageQuery, selected: RoomSelection.Selected) async throws {
        var renderer = renderer(selected)
        for try await followed in archive.follow(query) {
            try renderer.render(followed).write()
        }
    }

    private func renderer(_ selected: RoomSelection.Selected?) -> HistoryRenderer {
        HistoryRenderer(
            format: reader.format,
            text: TextRenderer(
                time: LocalTime(zone: reader.zone), style: reader.style, now: .now(),
                showsRooms: selected?.hasSeveralRooms ?? true, separator: unread.map(ReadSeparator.init)),
            nextCommand: NextCommand(subject: selected?.arguments ?? [], options: page.given + reader.given))
    }
}
