import ChatModel
import Operations
import Reading
import Rendering

/// Reads the conversation of a message and writes it, for `show --thread`.
struct ThreadOutput {
    let reading: ArchiveReading
    let reader: ReaderOptions
    let options: ThreadOptions
    /// The message and the account, as given.
    let message: String
    let account: String?
    let cold: ColdOption

    /// Shows a page of the conversation.
    func show(_ thread: MessageThread) throws {
        var renderer = renderer()
        try reader.write(renderer.render(thread))
    }

    /// Shows the whole conversation, page by page.
    ///
    /// - Parameter first: Its first page.
    func showAll(_ first: MessageThread) throws {
        var stream = HistoryStream(renderer(), isSearch: true)
        let names = options.names ?? .then
        try reader.stream { write in
            var page = first.page
            while true {
                try write(stream.render(page))
                guard let next = page.newer else { break }
                let shown = page.gaps
                page = try reading.page(of: first.outline, from: .after(next), names: names)
                // A gap that reaches from one page into the next is on both.
                page.gaps.removeAll { shown.contains($0) }
            }
            try write(stream.end(first))
        }
    }

    private func renderer() -> HistoryRenderer {
        let text = TextRenderer(
            time: LocalTime(zone: reader.zone), style: reader.style, now: .now(),
            options: TextRenderer.Options(showsIDs: options.ids, unfolds: true, isOneLine: options.isOneLine),
            width: { Terminal.standardOutput?.width() })
        return HistoryRenderer(
            format: reader.format, text: text,
            nextCommand: NextCommand(
                subject: [message] + (account.map(NextCommand.account) ?? []),
                options: options.given + cold.given + reader.given, command: "show",
                before: options.bounds.both?.before))
    }
}
