package import ChatModel
package import Reading

/// Renders pages of messages, and followed messages, in any format.
///
/// Gaps and cursors go to stderr if the format has no place for them.
package struct HistoryRenderer {
    /// The first record of CSV, which is written even when there are no messages.
    package static let csvHeader = CSV.header(of: JSONValue(Message.blank))

    package let format: OutputFormat
    package let nextCommand: NextCommand
    /// Returns the ranges of a body that match the search, for `json` and `jsonl`; nil if nothing is searched.
    private let ranges: BodyRanges?
    private(set) var text: TextRenderer
    private let gapText: GapText
    private var hasHeader = false

    package init(format: OutputFormat, text: TextRenderer, nextCommand: NextCommand, ranges: BodyRanges? = nil) {
        (self.format, self.text, self.nextCommand, self.ranges) = (format, text, nextCommand, ranges)
        gapText = GapText(time: text.time, now: text.now, showsRoom: true)
    }

    /// Renders a page with its gaps, and the commands for the next pages.
    ///
    /// - Parameter marked: The message to mark in text, whose renderer marks hits; nil for none.
    package mutating func render(_ page: Page, marking marked: MessageID? = nil) -> Rendered {
        guard format != .json else { return Rendered(output: JSONValue(page).text + "\n") }
        return render(page.messages, gaps: page.gaps, hits: marked.map { [$0] })
            + Rendered(notes: nextCommands(page))
    }

    /// Returns the number of the first marked line of a text, from 1 on; nil if none is marked.
    package func markedLine(of rendered: Rendered) -> Int? { text.markedLine(of: rendered.output) }

    /// Renders the hits of a search, alone or in groups. Only counts the gaps between hits, because hits may be years
    /// apart.
    package mutating func render(hits page: Page, groups: [HitGroup]?) -> Rendered {
        guard format != .json else {
            return Rendered(output: page.json(groups: groups, ranges: ranges).text + "\n")
        }
        var result = Rendered()
        if let groups {
            for (index, group) in groups.enumerated() { result.output += render(group, number: index + 1) }
        } else {
            result = render(page.messages, gaps: [])
        }
        if !page.messages.isEmpty {
            result.notes += GapText.count(page.gaps, in: "the time of this page")
        }
        return result + Rendered(notes: nextCommands(page))
    }

    /// Renders a page of a conversation, whose messages may be years apart, so that its gaps are only counted.
    package mutating func render(_ thread: MessageThread) -> Rendered {
        guard format != .json else { return Rendered(output: JSONValue(thread).text + "\n") }
        let gaps = GapText.count(thread.page.gaps, in: "the time of this page")
        return render(thread.page.messages, gaps: [])
            + Rendered(notes: gaps + ThreadText.notes(thread.outline) + nextCommands(thread.page))
    }

    private mutating func render(_ group: HitGroup, number: Int) -> String {
        switch format {
        case .text:
            (number == 1 ? "" : text.groupBreak) + text.render(group.messages, gaps: group.gaps, hits: group.hits)
        case .json, .jsonl:
            group.messages.map { $0.json(in: group, number: number, ranges: ranges).text + "\n" }.joined()
        case .csv:
            header(Self.csvHeader.dropLast() + ["hit", "group", CSV.isSelf])
                + group.messages.map { CSV.record($0.json(in: group, number: number)) }.joined()
        }
    }

    private func nextCommands(_ page: Page) -> String {
        (page.older.map { nextCommand.older($0) + "\n" } ?? "")
            + (page.newer.map { nextCommand.newer($0) + "\n" } ?? "") + days(page.day)
    }

    /// Returns the commands for the nearest days with messages.
    func days(_ day: Page.Day?) -> String {
        (day.map(nextCommand.days) ?? []).map { $0 + "\n" }.joined()
    }

    /// Renders an item of a followed stream. The first messages in CSV come after a header.
    package mutating func render(_ followed: Followed) -> Rendered {
        switch followed {
        case .history(let messages, let gaps): return render(messages, gaps: gaps)
        case .messages(let messages): return render(messages, gaps: [])
        case .gap(let gap):
            guard format == .text else { return Rendered(notes: gapText.sentence(gap) + "\n") }
            return Rendered(output: text.render(gap))
        case .startedOver(let account):
            return Rendered(
                notes: "the archive of \(Sanitizer.line(account)) was restored from a backup; following starts over\n")
        }
    }

    mutating func render(_ messages: [Message], gaps: [Gap], hits: Set<MessageID>? = nil) -> Rendered {
        let output =
            switch format {
            case .text: text.render(messages, gaps: gaps, hits: hits)
            case .json, .jsonl: messages.map { json($0).text + "\n" }.joined()
            case .csv: header(Self.csvHeader) + messages.map { CSV.record(JSONValue($0)) }.joined()
            }
        let notes = format == .text ? "" : gaps.map { gapText.sentence($0) + "\n" }.joined()
        return Rendered(output: output, notes: notes)
    }

    /// Returns the message as an element of a page.
    func json(_ message: Message) -> JSONValue { message.json(ranges: ranges) }

    private mutating func header(_ names: [String]) -> String {
        guard !hasHeader else { return "" }
        hasHeader = true
        return CSV.record(names)
    }
}
