import ChatModel
import Rendering

/// The answers of the archive.
extension ReaderModel {
    /// Takes an answer. One that is no longer wanted changes nothing.
    package mutating func receive(_ request: ReaderRequest, _ answer: ReaderAnswer) -> [ReaderEffect] {
        switch (request, answer) {
        case (_, .failed(let reason)): return failed(request, reason)
        case (_, .rooms(let all, let skipped)): return take(all, skipped)
        case (_, .unread(let counted)): rooms.count(counted)
        case (_, .nextUnread(let key)):
            if let key { return open(key, .latest) }
            note = "no other room has unread messages"
        case (.facts(let key), .facts(let found)): take(found, of: key)
        case (.open(let key, let place, _), .page(let page)) where request == opening: return opened(key, place, page)
        case (.extend(let key, let isOlder, let cursor, _), .page(let page)):
            return extended(key, isOlder: isOlder, cursor, page)
        case (.refresh(let key, let first, _, _), .page(let page)): return refreshed(key, from: first, page)
        case (.new(let key, let id, _), .new(let count, let hasMore)):
            if key == room, id == newest { unloaded = (count, hasMore) }
        case (.hits(let wanted, let cursor, _), .hits(let page, let notes)):
            return found(wanted, before: cursor, page, notes: notes)
        case (.years(let wanted), .years(let counts)): if search?.search == wanted { search?.take(counts) }
        case (.gap(let key, _, _), .gap(let time)): return goTo(gap: time, in: key)
        case (.day(let key, _, _), .day(let day)): return goTo(day: day, in: key)
        case (_, .days(let counts)):
            if case .month(var month) = mode {
                month.take(counts)
                mode = .month(month)
            }
        case (_, .details(let detail)): show(detail)
        case (_, .conversation(let thread)): show(thread)
        default: break
        }
        return []
    }

    private mutating func failed(_ request: ReaderRequest, _ reason: String) -> [ReaderEffect] {
        switch request {
        case .hits(let wanted, _, _), .years(let wanted):
            guard search?.search == wanted else { return [] }
            search?.note = reason
            search?.isStepping = false
            if case .hits = request { search?.isAnswered = true }
        case .extend(_, let isOlder, _, _):
            extending.remove(isOlder)
            note = reason
        default:
            if request == opening { opening = nil }
            note = reason
        }
        return []
    }

    private mutating func take(_ all: [Room], _ skipped: [SkippedAccount]) -> [ReaderEffect] {
        let isFirst = rooms.rooms.isEmpty
        rooms.replace(all, skipped: skipped)
        if isFirst, let first = skipped.first { note = SkippedAccountsText.lines([first], takesCold: true).first }
        let effects = beginWithoutRoom()
        return isFirst && !rooms.rooms.isEmpty ? effects + [.ask(.unread(shownRooms))] : effects
    }

    private mutating func take(_ found: RoomState, of key: RoomKey) {
        guard key == room else { return }
        state = found
        // While the end was not visible, only this says where it was.
        if newest == nil, !history.isAtEnd { newest = found.room.lastMessage }
        layOut()
    }

    private mutating func goTo(gap time: Timestamp?, in key: RoomKey) -> [ReaderEffect] {
        guard key == room else { return [] }
        guard let time else {
            note = "no further gap"
            return []
        }
        return open(key, .gap(time))
    }

    private mutating func goTo(day: CivilDay?, in key: RoomKey) -> [ReaderEffect] {
        guard key == room else { return [] }
        guard let day else {
            note = "no further day with messages"
            return []
        }
        return open(key, .from(MessageID(day.span.lowerBound)))
    }
}
