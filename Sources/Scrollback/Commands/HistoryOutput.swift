import Archive
import ArgumentParser
import ChatModel

/// Asks for pages and writes them: what `history` and `tail` share.
struct HistoryOutput {
    let archive: Archive
    let reader: ReaderOptions
    let page: PageOptions

    /// One JSON document has an end, and what is followed has none.
    static func validateFollowing(_ format: OutputFormat) throws {
        guard format != .json else {
            throw ValidationError("--follow has no end, so it can't be one JSON document: use --format jsonl")
        }
    }

    /// - Parameter isPaged: Whether a person on a terminal begins to read at the top.
    func show(_ query: MessageQuery, selected: RoomSelection.Selected, isPaged: Bool = true) async throws {
        let page = try await archive.page(query)
        var renderer = renderer(selected)
        let rendered = renderer.render(page)
        try isPaged ? reader.write(rendered) : rendered.write()
        if page.messages.isEmpty {
            StandardStream.note(EmptyResult.noMessages(folder: archive.folder))
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
                options: TextRenderer.Options(
                    showsRooms: selected?.hasSeveralRooms ?? true, showsIDs: page.ids, unfolds: page.unfold),
                width: { Terminal.standardOutput?.width() }),
            nextCommand: NextCommand(subject: selected?.arguments ?? [], options: page.given + reader.given))
    }
}
