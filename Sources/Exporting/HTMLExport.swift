import ChatModel
import Rendering

/// Pages for a browser: readable from disk, without scripts, in light and dark colours, and on any screen.
package struct HTMLExport: ExportFormat {
    package static let name = "html"
    package static let fileExtension = "html"
    package static let partLimit: Int? = 1_000_000

    private let unit: ExportUnit
    private let settings: ExportSettings
    private let time: LocalTime
    /// The day of the open section; nil if none is open.
    private var day: String?
    /// The number of events in the open line; 0 when none is open.
    private var quiet = 0
    /// The first message of this part.
    private var first: MessageID?
    /// The message above, if the next message may continue it.
    private var above: Message?

    package init(_ unit: ExportUnit, of export: ExportSettings) {
        (self.unit, settings) = (unit, export)
        time = LocalTime(zone: export.zone)
    }

    package mutating func begin(part: Int) -> String {
        (day, quiet, first, above) = (nil, 0, nil, nil)
        let number = part > 1 ? ", part \(part)" : ""
        let room = HTMLText.name(unit.room)
        let title = MessageRemarks.cut(unit.room, to: HTMLText.nameLimit) + ", \(unit.month.inWords)\(number)"
        return HTMLPage.head(title: title)
            + "<header>\n" + HTMLPage.navigation(links(part: part), label: "Pages")
            + "<h1><bdi lang=\"\">\(room)</bdi> <span>\(unit.month.inWords)\(number)</span></h1>\n"
            + "<p>\(HTMLPage.origin(settings))</p>\n</header>\n<main lang=\"\">\n"
    }

    package mutating func end(part: Int, hasMore: Bool) -> String {
        closeDay() + "</main>\n" + HTMLPage.footer(links(part: part, hasMore: hasMore)) + HTMLPage.foot
    }

    package mutating func render(_ item: ExportItem) -> String {
        switch item {
        case .message(let message, _): render(message)
        case .gap(let gap): render(gap)
        }
    }

    private mutating func render(_ gap: Gap) -> String {
        above = nil
        let sentence = MessageRemarks.sentence(gap, time: time, shownDay: day)
        let text = "<span class=\"k\">Not archived:</span> " + HTMLText.escape(sentence)
        // A gap that begins before the first day of the page is above it.
        guard day != nil else { return "<p class=\"g\" lang=\"en\">\(text)</p>\n" }
        return closeQuiet() + "<li class=\"g\" lang=\"en\">\(text)</li>\n"
    }

    private mutating func render(_ message: Message) -> String {
        let moment = LocalMoment(message.time, in: settings.zone)
        let beginning = openDay(moment)
        let beginningOfPart = first ?? message.id
        first = beginningOfPart
        let linksReply = message.reply?.id.map { $0 >= beginningOfPart && $0 < message.id } ?? false
        let html = HTMLMessage(
            message: message, moment: moment, isContinued: isContinued(by: message), linksReply: linksReply)
        guard message.kind.isNoise else {
            above = message
            return beginning + closeQuiet() + html.html
        }
        above = nil
        return beginning + openQuiet() + html.quiet
    }

    private func isContinued(by message: Message) -> Bool {
        guard let above, let sender = message.sender, message.reply == nil else { return false }
        return above.kind == .message && message.kind == .message && above.sender == sender
            && message.time.since(above.time) < Self.pause
    }

    /// The pause after which the sender's name is repeated.
    private static let pause = Duration.seconds(600)

    // MARK: Days and lines

    private mutating func openDay(_ moment: LocalMoment) -> String {
        let next = moment.day
        guard next != day else { return "" }
        let closing = closeDay()
        day = next
        return closing + "<section aria-labelledby=\"day-\(next)\">\n<h2 id=\"day-\(next)\" lang=\"en\">"
            + "<time datetime=\"\(next)\">\(moment.dayInWords)</time></h2>\n<ol>\n"
    }

    private mutating func closeDay() -> String {
        guard day != nil else { return "" }
        let closing = closeQuiet() + "</ol>\n</section>\n"
        (day, above) = (nil, nil)
        return closing
    }

    /// Opens a line of events. Folds most of a long run, such as a netsplit.
    private mutating func openQuiet() -> String {
        quiet += 1
        if quiet == 1 { return "<li class=\"q\">" }
        guard quiet == Self.unfolded + 1 else { return "" }
        return "<details><summary lang=\"en\">and more, until the next message</summary>\n"
    }

    private mutating func closeQuiet() -> String {
        defer { quiet = 0 }
        return quiet == 0 ? "" : quiet > Self.unfolded ? "</details></li>\n" : "</li>\n"
    }

    private static let unfolded = 12

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
