package import ChatModel
import Reading

/// Messages and gaps as HTML: a section for each day, with its messages as a list. Events such as joins share a line.
package struct HTMLMessageList {
    /// The facts that all messages of a list share.
    package struct Settings: Sendable {
        package var zone: Zone
        package var place: HTMLPlace
        /// True to name the room above each run of messages of one room.
        package var showsRooms = false
        /// The beginning of the address of a day's page, before the day; nil for days without a page.
        package var dayAddress: String?
        /// The message that the page was opened for.
        package var here: MessageID?
        /// True if that message links to everything about it.
        package var hasActions = true
        /// The last read message, after which a line says that the others are unread; nil for no line.
        package var readThrough: MessageID?
        /// The text of the line of unread messages.
        package var unread = ""
        /// The beginning of the id of each day's heading. Several lists in a page need different ones.
        package var dayID = "day-"
        /// The number of events that are left out directly before a message.
        package var leftOut: [MessageID: Int] = [:]
        /// The present time, which is the end of current gaps.
        package var now = Timestamp.now()

        package init(zone: Zone, place: HTMLPlace) {
            (self.zone, self.place) = (zone, place)
        }
    }

    private let settings: Settings
    /// The copies of the files of the next messages, for a page without a server that has copies.
    package var copies: [Attachment: FileCopy] = [:]
    private let time: LocalTime
    /// The day of the open section; nil if none is open.
    private var day: String?
    /// The number of events in the open line; 0 when none is open.
    private var quiet = 0
    /// The first message of the list.
    private var first: MessageID?
    /// The message above, if the next message may continue it.
    private var above: Message?
    /// The room of the message above, if rooms are named.
    private var room: RoomKey?
    private var hasUnreadLine = false

    package init(_ settings: Settings) {
        self.settings = settings
        time = LocalTime(zone: settings.zone)
    }

    /// Returns a page's messages with its gaps. A gap comes before the first message after its beginning.
    package mutating func page(_ messages: [Message], gaps: [Gap]) -> HTML {
        let html = part(messages, gaps: gaps)
        return html + end()
    }

    /// Returns a part of a list that goes on.
    package mutating func part(_ messages: [Message], gaps: [Gap]) -> HTML {
        var html: HTML = ""
        var gaps = gaps[...]
        var rest = messages[...]
        while let message = rest.first {
            while let gap = gaps.first, gap.from < message.id.time {
                html += render(gap)
                gaps.removeFirst()
            }
            html += leftOut(before: message)
            let run = rest.prefix { isEvent($0, after: message, before: gaps.first?.from) }
            if run.count > Self.shortRun {
                html += fold(run)
            } else {
                html += render(message)
            }
            rest = rest.dropFirst(run.count > Self.shortRun ? run.count : 1)
        }
        for gap in gaps { html += render(gap) }
        return html
    }

    // MARK: Gaps

    package mutating func render(_ gap: Gap) -> HTML {
        above = nil
        // A gap that begins before the first day of the page is above it.
        guard day != nil else { return "<p class=\"\(classes(gap))\" lang=\"en\">\(text(gap))</p>\n" }
        return closeQuiet() + "<li class=\"\(classes(gap))\" lang=\"en\">\(text(gap))</li>\n"
    }

    private func classes(_ gap: Gap) -> String {
        settings.place == .file ? "g" : htmlGap(gap).classes
    }

    private func text(_ gap: Gap) -> HTML {
        guard settings.place == .file else { return htmlGap(gap).html }
        let sentence = MessageRemarks.sentence(gap, time: time, shownDay: day)
        return "<span class=\"k\">\(MessageRemarks.label(gap)):</span> \(sentence)"
    }

    private func htmlGap(_ gap: Gap) -> HTMLGap {
        HTMLGap(gap: gap, time: time, now: settings.now, showsRoom: settings.showsRooms)
    }

    // MARK: Messages

    package mutating func render(_ message: Message) -> HTML {
        let beginning = open(message)
        let html = html(message)
        guard message.kind.isNoise else {
            above = message
            return beginning + closeQuiet() + html.html
        }
        above = nil
        return beginning + openQuiet() + html.quiet
    }

    /// Opens the parts that the message needs: its day, the line of unread messages, and the name of its room.
    private mutating func open(_ message: Message) -> HTML {
        let moment = LocalMoment(message.time, in: settings.zone)
        return openDay(moment) + unreadLine(message) + openRoom(message)
    }

    private mutating func html(_ message: Message) -> HTMLMessage {
        let beginning = first ?? message.id
        first = beginning
        var html = HTMLMessage(
            message: message, moment: LocalMoment(message.time, in: settings.zone),
            isContinued: isContinued(by: message),
            linksReply: message.reply?.id.map { $0 >= beginning && $0 < message.id } ?? false)
        html.place = settings.place
        html.isHere = settings.here == message.id
        html.hasActions = settings.hasActions
        html.copies = copies
        return html
    }

    private func isContinued(by message: Message) -> Bool {
        guard let above, let sender = message.sender, message.reply == nil else { return false }
        return above.kind == .message && message.kind == .message && above.sender == sender
            && above.account == message.account && message.time.since(above.time) < Self.pause
    }

    /// The pause after which the sender's name is repeated.
    private static let pause = Duration.seconds(600)

    private mutating func unreadLine(_ message: Message) -> HTML {
        guard let last = settings.readThrough, message.id > last, !hasUnreadLine else { return "" }
        hasUnreadLine = true
        above = nil
        return closeQuiet() + "<li class=\"unread-line\" id=\"unread\" lang=\"en\"><span>"
            + "\(HTMLText.line(settings.unread))</span></li>\n"
    }

    private mutating func openRoom(_ message: Message) -> HTML {
        let key = RoomKey(account: message.account, id: message.roomID)
        guard settings.showsRooms, room != key else { return "" }
        (room, above) = (key, nil)
        let name = HTMLText.name(message.room.isEmpty ? "(no name)" : message.room)
        return closeQuiet() + "<li class=\"w\"><a href=\"\(HTMLAddress.place(message.id, key.account, key.id))\">"
            + "<bdi>\(name)</bdi></a> <bdi>\(HTMLText.name(key.account))</bdi></li>\n"
    }

    // MARK: Days

    private mutating func openDay(_ moment: LocalMoment) -> HTML {
        let next = moment.day
        guard next != day else { return "" }
        let closing = end()
        day = next
        let words: HTML = "<time datetime=\"\(next)\">\(moment.dayInWords)</time>"
        let heading = settings.dayAddress.map { "<a href=\"\($0)\(next)\">\(words)</a>" } ?? words
        return closing
            + "<section aria-labelledby=\"\(settings.dayID)\(next)\">\n<h2 id=\"\(settings.dayID)\(next)\" lang=\"en\">"
            + "\(heading)</h2>\n<ol>\n"
    }

    /// Returns the end of the open day; empty if none is open.
    package mutating func end() -> HTML {
        guard day != nil else { return "" }
        let closing = closeQuiet() + "</ol>\n</section>\n"
        (day, above, room) = (nil, nil, nil)
        return closing
    }

    // MARK: Lines of events

    /// Opens a line of events. Folds most of a long run, such as a netsplit.
    private mutating func openQuiet() -> HTML {
        quiet += 1
        if quiet == 1 { return "<li class=\"q\">" }
        guard quiet == Self.unfolded + 1 else { return "" }
        return "<details><summary lang=\"en\">and more, until the next message</summary>\n"
    }

    private mutating func closeQuiet() -> HTML {
        defer { quiet = 0 }
        return quiet == 0 ? "" : quiet > Self.unfolded ? "</details></li>\n" : "</li>\n"
    }

    private static let unfolded = 12

    /// The number of events that a page shows unfolded.
    private static let shortRun = 2

    /// Returns true for an event that belongs to the line of the first one.
    private func isEvent(_ message: Message, after first: Message, before gap: Timestamp?) -> Bool {
        message.kind.isNoise && gap.map { message.id.time <= $0 } ?? true
            && (!settings.showsRooms || message.account == first.account && message.roomID == first.roomID)
            && !isUnreadStart(message, first) && (message.id == first.id || settings.leftOut[message.id] == nil)
            && (message.id == first.id
                || LocalMoment(message.time, in: settings.zone).day == LocalMoment(first.time, in: settings.zone).day)
    }

    /// Returns the line that stands for the events that are left out before a message; empty if there are none.
    private mutating func leftOut(before message: Message) -> HTML {
        guard let count = settings.leftOut[message.id] else { return "" }
        let words = count < LeftOutEvents.limit ? count.of("event") : "\(count.grouped) events or more"
        let beginning = open(message) + closeQuiet()
        above = nil
        return beginning + "<li class=\"q\" lang=\"en\">\(words) hidden</li>\n"
    }

    private func isUnreadStart(_ message: Message, _ first: Message) -> Bool {
        guard let last = settings.readThrough, !hasUnreadLine else { return false }
        return message.id > last && first.id <= last
    }

    /// Returns a run of events as one line with the number of each kind, which unfolds into the events.
    private mutating func fold(_ run: ArraySlice<Message>) -> HTML {
        guard let first = run.first else { return "" }
        let beginning = open(first) + closeQuiet()
        above = nil
        let hasHere = run.contains { $0.id == settings.here }
        return beginning
            + "<li class=\"q\"><details\(hasHere ? " open" : "")><summary lang=\"en\">\(Self.counts(run))</summary>\n"
            + run.map { html($0).quiet }.joined() + "</details></li>\n"
    }

    /// Returns a text such as `3 joined, 2 left: alice, bob and 3 more`.
    private static func counts(_ run: ArraySlice<Message>) -> HTML {
        let words: [(MessageKind, String)] = [
            (.join, "joined"), (.leave, "left"), (.rename, "renamed"), (.mode, "set modes"),
        ]
        let numbers = words.compactMap { kind, word in
            let count = run.count { $0.kind == kind }
            return count == 0 ? nil : "\(count.grouped) \(word)"
        }
        var names: [String] = []
        for name in run.compactMap(\.sender?.name) where names.count < 100 && !names.contains(name) {
            names.append(name)
        }
        let people: HTML = names.isEmpty ? "" : ": " + HTMLText.people(names)
        return "\(numbers.joined(separator: ", "))\(people)"
    }
}
