import ChatModel
import Reading

@testable import Reader

/// An archive in memory, which answers a reader's questions at once.
struct SampleArchive {
    static let room = RoomKey(account: "demo", id: 1)
    static let other = RoomKey(account: "demo", id: 2)
    /// 2026-11-21 00:00 UTC.
    static let start = Timestamp(microseconds: 1_795_219_200_000_000)

    /// The messages in order of time.
    var messages: [Message] = []
    var gaps: [Gap] = []
    var names = [room: "lobby", other: "offtopic"]
    var unread: [RoomKey: Int64] = [:]
    /// The accounts that can't be read.
    var skipped: [SkippedAccount] = []
    /// The last message of the lobby that was read; nil if nothing was ever marked.
    var marker: MessageID?
    /// The questions so far.
    var asked: [ReaderRequest] = []
    /// The error of every question; nil for answers.
    var failure: String?

    /// - Parameter count: The number of messages of the lobby, ten minutes apart: `text 1`, `text 2` and so on.
    init(_ count: Int) {
        messages = (0..<count).map { Self.message($0, "text \($0 + 1)") }
    }

    /// Returns the message that was sent so many ten minutes after the start.
    static func message(_ number: Int, _ text: String?, by name: String = "alice", in room: RoomKey = room) -> Message {
        let id = MessageID(start.advanced(by: .seconds(600 * number)))
        return Message(
            id: id, account: room.account, network: "log", roomID: room.id, room: "lobby", kind: .message,
            sender: Message.Sender(id: 1, name: name, isSelf: false), body: text, remoteID: nil, receivedAt: id.time,
            sourceTime: nil, flags: [])
    }

    mutating func say(_ text: String, in room: RoomKey = room) {
        let next = messages.last.map { Int($0.id.time.since(Self.start).components.seconds) / 600 + 1 } ?? 0
        messages.append(Self.message(next, text, in: room))
    }

    mutating func answer(_ request: ReaderRequest) -> ReaderAnswer {
        asked.append(request)
        if let failure { return .failed(failure) }
        return switch request {
        case .rooms: .rooms(names.keys.sorted { $0.id < $1.id }.map(listed), skipped: skipped)
        case .unread(let keys): .unread(keys.map(listed))
        case .nextUnread(let keys): .nextUnread(keys.first { unread[$0] ?? 0 > 0 })
        case .facts(let key): .facts(RoomState(room: listed(key), unread: state(key), lastGap: gaps.last))
        case .open(let key, let place, let choice): .page(page(of(key), place, choice.limit))
        case .extend(let key, let isOlder, let id, let choice): .page(page(of(key), isOlder, id, choice.limit))
        case .refresh(let key, let first, let count, _):
            .page(page(of(key).filter { $0.id >= first ?? $0.id }, true, nil, count + 50))
        case .new(let key, let id, _): .new(count: of(key).count { $0.id > id }, hasMore: false)
        case .hits(let search, let cursor, let limit): .hits(page(hits(search), true, cursor, limit), notes: "")
        case .years(let search): .years([HitCount(account: nil, name: "2026", count: Int64(hits(search).count))])
        case .gap(_, let isLater, let time):
            .gap((isLater ? gaps.first { $0.from > time } : gaps.last { $0.from < time })?.from)
        case .day(let key, let isLater, let day): .day(nearestDay(of(key), isLater: isLater, day))
        case .days(_, let days): .days(days.map { DayCount(day: CivilDay.name(of: $0), messages: 7, isComplete: true) })
        case .details: .failed("no details here")
        case .conversation: .failed("no conversation here")
        }
    }

    private func of(_ key: RoomKey) -> [Message] { messages.filter { $0.roomID == key.id } }

    private func hits(_ search: ReaderRequest.Search) -> [Message] {
        let all = if case .room(let key) = search.scope { of(key) } else { messages }
        return all.filter { $0.body?.contains(search.text) ?? false }
    }

    private func listed(_ key: RoomKey) -> Room {
        var room = Room(
            account: key.account, network: "log", id: key.id, name: names[key] ?? "", kind: .channel,
            messages: Int64(of(key).count), firstMessage: of(key).first?.id, lastMessage: of(key).last?.id,
            coveredFrom: Self.start)
        room.unread = UnreadCount(count: unread[key] ?? 0, hasMore: false)
        return room
    }

    private func state(_ key: RoomKey) -> UnreadRoom? {
        guard let marker else { return nil }
        let unread = of(key).filter { $0.id > marker }
        return UnreadRoom(
            account: key.account, roomID: key.id, room: names[key] ?? "", unread: Int64(unread.count), hasMore: false,
            late: 0, firstUnread: unread.first?.id, firstLate: nil, readThrough: marker, markedAt: marker.time)
    }

    private func nearestDay(_ all: [Message], isLater: Bool, _ day: CivilDay) -> CivilDay? {
        let found =
            isLater
            ? all.first { $0.id.time >= day.span.upperBound } : all.last { $0.id.time < day.span.lowerBound }
        return found.map { CivilDay(containing: $0.id.time, in: day.zone) }
    }

    private func page(_ all: [Message], _ place: ReaderRequest.Place, _ limit: Int) -> Page {
        switch place {
        case .latest: page(all, true, nil, limit)
        case .oldest: page(all, false, nil, limit)
        case .around(let id), .from(let id): around(all, id, limit)
        case .gap(let time): around(all, MessageID(time), limit)
        }
    }

    private func around(_ all: [Message], _ id: MessageID, _ limit: Int) -> Page {
        let (before, after) = (all.filter { $0.id < id }, all.filter { $0.id >= id })
        let (older, newer) = (before.suffix(limit / 2), after.prefix(limit - limit / 2))
        return cut(Array(older + newer), older.count < before.count, newer.count < after.count)
    }

    private func page(_ all: [Message], _ isOlder: Bool, _ cursor: MessageID?, _ limit: Int) -> Page {
        let found = all.filter {
            isOlder ? $0.id < cursor ?? MessageID(microseconds: .max) : $0.id > cursor ?? MessageID(microseconds: .min)
        }
        let kept = Array(isOlder ? found.suffix(limit) : found.prefix(limit))
        let isCut = kept.count < found.count
        return cut(kept, isOlder ? isCut : cursor != nil, isOlder ? cursor != nil : isCut)
    }

    private func cut(_ messages: [Message], _ hasOlder: Bool, _ hasNewer: Bool) -> Page {
        let (first, last) = (messages.first?.id.time, messages.last?.id.time)
        let gaps = gaps.filter { gap in
            (!hasOlder || first.map { gap.from >= $0 } ?? true) && (!hasNewer || last.map { gap.from <= $0 } ?? true)
        }
        return Page(
            messages: messages, older: hasOlder ? messages.first?.id : nil, newer: hasNewer ? messages.last?.id : nil,
            gaps: gaps)
    }
}
