import Bytes
import ChatModel

/// A sender as QQ's own exports write it: `小明(10001)`, `小明<ming@example.net>`, and `小明` in a conversation of two.
struct QQSender: Sendable, Hashable {
    let name: String
    /// The number or address of the account; nil if the export has only the name.
    let key: String?

    /// The numbers under which QQ writes its own notices: those of conversations, and of groups.
    private static let systemNumbers: Set = ["10000", "1000000"]

    /// Nil for a text without a name and a number.
    init?(_ text: ArraySlice<UInt8>) {
        let whole = LogText(text).string.trimmedOfBlanks
        let (before, id) = Self.parted(whole)
        let shown = Self.withoutTitles(before)
        guard let name = ExportText.name(shown, id) else { return nil }
        (self.name, key) = (name, id.flatMap { ExportText.name($0) })
    }

    /// True for QQ itself, which writes notices.
    var isSystem: Bool { key.map(Self.systemNumbers.contains) ?? false }

    /// Returns the text before the number or address at the end, and that; nil for a text without one.
    private static func parted(_ text: String) -> (name: String, id: String?) {
        let bytes = Array(text.utf8)
        let open: UInt8
        switch bytes.last {
        case UInt8(ascii: ")"): open = UInt8(ascii: "(")
        case UInt8(ascii: ">"): open = UInt8(ascii: "<")
        default: return (text, nil)
        }
        guard let start = bytes.lastIndex(of: open) else { return (text, nil) }
        let id = bytes[(start + 1)...].dropLast()
        let isNumber = (5...12).contains(id.count) && id.allSatisfy(Byte.isDigit)
        let isAddress = id.contains(Byte.at) && !id.contains(Byte.space)
        guard open == UInt8(ascii: "(") ? isNumber : isAddress else { return (text, nil) }
        return (
            String(decoding: bytes[..<start], as: UTF8.self).trimmedOfBlanks, String(decoding: id, as: UTF8.self)
        )
    }

    /// Returns `小明` for `【管理员】小明`, with a person's title in a group.
    private static func withoutTitles(_ name: String) -> String {
        var rest = name[...]
        while rest.hasPrefix("【"), let end = rest.firstIndex(of: "】") {
            let after = rest[rest.index(after: end)...]
            if after.allSatisfy({ $0 == " " }) { break }
            rest = after
        }
        return String(rest).trimmedOfBlanks
    }
}

/// The times in QQ's own exports: `2026-11-21 6:23:11`, `2026-11-21 下午 6:23:11` and `2026-11-21 6:23:11 PM`.
enum QQTime {
    /// Reads the time at the beginning of a line and the rest after a space, which may be blank; nil for another line.
    static func stamp(_ line: ArraySlice<UInt8>) -> (LineStamp, rest: ArraySlice<UInt8>)? {
        var scanner = ByteScanner(line)
        guard let date = date(&scanner), scanner.take(Byte.space), let seconds = clock(&scanner),
            scanner.take(Byte.space)
        else { return nil }
        return (LineStamp(date: date, seconds: seconds, resolution: .second), scanner.rest)
    }

    /// Takes `2026-11-21`, also without zeros.
    static func date(_ scanner: inout ByteScanner) -> CalendarDate? {
        guard let year = scanner.number(of: 4), scanner.take(Byte.dash), let month = scanner.number(upTo: 2),
            scanner.take(Byte.dash), let day = scanner.number(upTo: 2)
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    /// Takes `6:23:11`, and returns its seconds since midnight.
    static func clock(_ scanner: inout ByteScanner) -> Int? {
        var half = DayHalf.none
        if scanner.take("上午 ") { half = .morning } else if scanner.take("下午 ") { half = .afternoon }
        guard let shown = scanner.number(upTo: 2), scanner.take(Byte.colon), let minute = scanner.number(of: 2),
            minute < 60, scanner.take(Byte.colon), let second = scanner.number(of: 2), second <= 60
        else { return nil }
        if scanner.take(" AM") { half = .morning } else if scanner.take(" PM") { half = .afternoon }
        guard let hour = half.hour(shown) else { return nil }
        return (hour * 60 + minute) * 60 + second
    }
}

/// Keeps the order of the messages of each room, in an export of several rooms one after the other.
///
/// An export of all chats has the latest chats twice: in the group of the contact, and in the group 最近联系人.
struct QQOrder: Sendable {
    private struct Chat: Hashable {
        var room: String
        /// True in the group of the latest chats.
        var isRepeated: Bool
    }

    private var order: LineOrder
    private var chat: Chat?
    /// The present group; nil before the first one.
    private var group: String?
    private var lasts: [Chat: LineTime] = [:]
    /// The chats outside of the group of the latest chats.
    private var begun: Set<String> = []
    /// The names that several chats have, each once.
    private var shared: [String] = []
    private let zone: Zone

    /// The limit of rooms whose last time is kept. A room after them begins as a new one when it comes back.
    private static let maximumRooms = 10_000
    private static let latest = "最近联系人"

    init(_ source: LogSource) {
        (order, zone) = (LineOrder(now: source.now), source.zone)
        chat = source.room.map { Chat(room: $0.withoutNUL, isRepeated: false) }
    }

    var assumptions: [String] {
        let names = shared.prefix(3).joined(separator: ", ")
        return (shared.isEmpty ? [] : ["chats with the name of a chat above them, read as one room: \(names)"])
            + order.assumptions
    }

    /// The part of the file in which equal messages are counted (``ImportedMessage/section``).
    var section: Int { chat?.isRepeated ?? false ? 1 : 0 }

    /// Begins a group of contacts.
    mutating func begin(group name: String) { group = name }

    /// Continues with another room.
    ///
    /// - Parameter name: The name of the chat in the export.
    mutating func begin(_ room: String, named name: String) {
        let next = Chat(room: room, isRepeated: group == Self.latest)
        if let chat, lasts.count < Self.maximumRooms || lasts[chat] != nil { lasts[chat] = order.last }
        (chat, order.last) = (next, lasts[next])
        guard !next.isRepeated, begun.count < Self.maximumRooms, !begun.insert(name).inserted, !shared.contains(name)
        else { return }
        shared.append(name)
    }

    /// Returns the time of a line; nil for a date that is not in the calendar.
    mutating func settle(_ stamp: LineStamp, line: Int) -> LineTime? {
        stamp.date.flatMap { LocalDay($0, zone: zone) }.map { order.settle($0, stamp, line: line) }
    }
}
