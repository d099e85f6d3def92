package import ChatModel
import Rendering

/// The answers of the archive.
extension ReaderModel {
    /// Takes an answer. One that is no longer wanted changes nothing.
    package mutating func receive(_ request: ReaderRequest, _ answer: ReaderAnswer) -> [ReaderEffect] {
        switch (request, answer) {
        case (_, .failed(let reason)): failed(request, reason)
        case (_, .rooms(let all, let skipped)): return take(all, skipped)
        case (_, .unread(let counted)): rooms.count(counted)
        case (_, .nextUnread(let key)):
            if let key { return shown.open(key, .latest) }
            note = "no other room has unread messages"
        case (.facts(let key), .facts(let found)):
            shown.take(found, of: key)
            if key == shown.key { layOut() }
        case (.open(let key, let place, _), .page(let page)) where request == shown.opening:
            return opened(key, place, page)
        case (.extend(let key, let isOlder, let cursor, _), .page(let page)):
            return shown.extended(key, isOlder: isOlder, cursor, page)
        case (.refresh(let key, let first, _, _), .page(let page)): return shown.refreshed(key, from: first, page)
        case (.new(let key, let id, _), .new(let count, let hasMore)):
            shown.take(new: count, hasMore: hasMore, after: id, in: key)
        case (.hits(let wanted, let cursor, _), .hits(let page, let notes)):
            return found(wanted, before: cursor, page, notes: notes)
        case (.years(let wanted), .years(let counts)): if search?.search == wanted { search?.take(counts) }
        case (.gap(let key, _, _), .gap(let time)):
            return goTo(time.map { .gap($0) }, in: key, otherwise: "no further gap")
        case (.day(let key, _, _), .day(let day)):
            let place = day.map { ReaderRequest.Place.from(MessageID($0.span.lowerBound)) }
            return goTo(place, in: key, otherwise: "no further day with messages")
        case (_, .days(let counts)): take(counts)
        case (_, .details(let detail)): show(detail)
        case (_, .conversation(let thread)): show(thread)
        default: break
        }
        return []
    }

    /// Takes the result of marking a room as read.
    ///
    /// - Parameter failure: The reason why it failed; nil if it is done.
    package mutating func marked(_ room: RoomKey, failure: String?) -> [ReaderEffect] {
        note = failure ?? "marked as read"
        return [.ask(.facts(room)), askUnread]
    }

    private mutating func failed(_ request: ReaderRequest, _ reason: String) {
        switch request {
        case .hits(let wanted, _, _): if search?.search == wanted { search?.fail(reason, isAnswer: true) }
        case .years(let wanted): if search?.search == wanted { search?.fail(reason, isAnswer: false) }
        default:
            shown.failed(request)
            note = reason
        }
    }

    private mutating func take(_ all: [Room], _ skipped: [SkippedAccount]) -> [ReaderEffect] {
        let isFirst = rooms.rooms.isEmpty
        rooms.replace(all, skipped: skipped)
        if isFirst, let first = skipped.first { note = SkippedAccountsText.lines([first], takesCold: true).first }
        let effects = beginWithoutRoom()
        return isFirst && !rooms.rooms.isEmpty ? effects + [askUnread] : effects
    }

    /// Shows the page of a place.
    mutating func opened(_ key: RoomKey, _ place: ReaderRequest.Place, _ page: Page) -> [ReaderEffect] {
        let isOther = shown.enter(key)
        layOut()
        shown.show(page, at: place)
        let effects = shown.extend() + (isOther ? [.ask(.facts(key)), askUnread] : [])
        return effects + shown.missedChange() + beginSearch()
    }

    private mutating func take(_ counts: [DayCount]) {
        guard case .month(var month) = mode else { return }
        month.take(counts)
        mode = .month(month)
    }

    /// Opens a place that was searched for in the shown room, or says that there is none.
    private mutating func goTo(
        _ place: ReaderRequest.Place?, in key: RoomKey, otherwise sentence: String
    ) -> [ReaderEffect] {
        guard key == shown.key else { return [] }
        if let place { return shown.open(key, place) }
        note = sentence
        return []
    }

    private mutating func show(_ detail: MessageDetail) {
        let text = MessageDetailText(
            time: LocalTime(zone: settings.zone), style: .plain, now: settings.now(), width: size.paneColumns)
        show(text.text(detail), title: "message \(detail.message.id)")
    }

    private mutating func show(_ thread: MessageThread) {
        let view = ConversationView(thread, look: settings.look(size), height: size.paneHeight)
        if let view { mode = .conversation(view) } else { note = "the message has no replies" }
    }

    /// Shows a safe text of several lines.
    mutating func show(_ text: String, title: String) {
        mode = .text(TextView(text, title: title, columns: size.paneColumns))
    }
}
