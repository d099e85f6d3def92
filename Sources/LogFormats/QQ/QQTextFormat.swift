import Bytes
import ChatModel

/// The text that QQ's message manager exports: a head for each friend or group, and for each message a line with its local
/// time and sender, and the lines of its text.
///
/// QQ writes an empty line before each message. A line that looks like a message's first line begins one if it has the
/// number or address of its sender, or if an empty line precedes it.
package struct QQTextFormat: LogFormat {
    package static let name = "qq"
    package static let programs = "QQ, TIM (text)"
    /// 64 KiB of text, and the time and name before it.
    package static let maximumLine = HeldText.maximumSize + 1024
    package static let hasLocalTimes = true
    package static let hidesOwner = true

    /// A message that may continue.
    private struct Held {
        var line: LogLine
        /// Nil for a date that is not in the calendar.
        var time: LineTime?
        var sender: QQSender
        var room: String
        var section: Int
        var text: HeldText?
    }

    private let givenRoom: String?
    /// The room in the last head.
    private var title: String?
    private var room: String?
    private var isSeveral: Bool
    private var order: QQOrder
    private var held: Held?
    /// The lines that may be a head, until it ends.
    private var head = QQHead()
    private var isAfterBlank = true
    /// True before the first head or message.
    private var isInHeader = true

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        !QQHead.rooms(in: IRCLog.eachLine(of: source.beginning).prefix(20)).isEmpty
    }

    /// - Throws: ``LogSourceError/noRoom`` for a file whose beginning has no head, unless a room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        let rooms = Set(QQHead.rooms(in: IRCLog.eachLine(of: source.beginning)))
        guard source.room != nil || !rooms.isEmpty else { throw .noRoom }
        givenRoom = source.room?.withoutNUL
        isSeveral = rooms.count > 1
        room = givenRoom
        order = QQOrder(source)
    }

    package var hasOwnRooms: Bool { isSeveral }
    package var heldLine: LogLine? { held?.line }
    package var assumptions: [String] { order.assumptions }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        switch head.add(line.bytes, isCut: line.isCut) {
        case .continues: return .nothing
        case .ends(let room, let group):
            head = QQHead()
            if let group { order.begin(group: group) }
            return begin(room)
        case .breaks(let lines):
            head = QQHead()
            for line in lines { append(line, isCut: false) }
            if !lines.isEmpty { isAfterBlank = false }
            // The line may begin another head.
            if case .continues = head.add(line.bytes, isCut: line.isCut) { return .nothing }
            head = QQHead()
        }
        if let room, let (stamp, rest) = QQTime.stamp(line.bytes), let sender = sender(rest, in: room) {
            return begin(line, stamp, sender, in: room)
        }
        isAfterBlank = line.bytes.isBlank
        guard held != nil else {
            // 消息记录（此消息记录为文本格式，不支持重新导入）
            return isAfterBlank || isInHeader && line.bytes.starts(with: "消息记录")
                ? .nothing : .unreadable("it has no time, and no line before it begins a message")
        }
        append(line.bytes, isCut: line.isCut)
        return .nothing
    }

    /// Returns the sender in a line that begins a message; nil for a line of a text. A friend with a blank name is the room.
    private func sender(_ text: ArraySlice<UInt8>, in room: String) -> QQSender? {
        guard let sender = QQSender(text.isBlank ? Array(room.utf8)[...] : text) else { return nil }
        return isAfterBlank || !text.isBlank && sender.key != nil ? sender : nil
    }

    /// Ends the message before, and begins the section of a room.
    private mutating func begin(_ named: String) -> ParsedLine {
        let before = finish()
        if let title, title != named { isSeveral = true }
        let next = isSeveral ? named : givenRoom ?? named
        order.begin(next, named: named)
        (title, room, isInHeader, isAfterBlank) = (named, next, false, true)
        return before
    }

    private mutating func begin(
        _ line: LogLine, _ stamp: LineStamp, _ sender: QQSender, in room: String
    ) -> ParsedLine {
        let before = finish()
        let time = order.settle(stamp, line: line.number)
        held = Held(line: line, time: time, sender: sender, room: room, section: order.section)
        (isInHeader, isAfterBlank) = (false, false)
        return before
    }

    private mutating func append(_ line: ArraySlice<UInt8>, isCut: Bool) {
        if held?.text == nil {
            if !line.isBlank { held?.text = HeldText(line, isCut: isCut) }
        } else {
            held?.text?.append(line, isCut: isCut)
        }
    }

    package mutating func finish() -> ParsedLine {
        for line in head.lines { append(line, isCut: false) }
        head = QQHead()
        guard let held else { return .nothing }
        self.held = nil
        guard !held.line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let time = held.time else { return .unreadable("its date does not exist") }
        let isSystem = held.sender.isSystem
        let text = held.text.map { LogText($0.whole) }
        var message = ImportedMessage(
            room: held.room, roomKind: .group, kind: isSystem ? .system : .message,
            sender: isSystem ? nil : held.sender.name, senderKey: isSystem ? nil : held.sender.key,
            body: text?.string, time: time.time, resolution: time.resolution, place: time.place,
            flags: LogText(held.line.bytes).flags.union(text?.flags ?? [])
                .union(held.text?.isCut ?? false ? .oversize : []))
        message.section = held.section
        return .message(message)
    }
}

/// The head of a room in a text of QQ: lines of `=` around `消息分组:我的好友` and `消息对象:小明`, the room.
struct QQHead: Sendable {
    enum Result {
        /// The line belongs to a head that has not ended.
        case continues
        /// The head of this room ends. The group is nil for a head without one.
        case ends(room: String, group: String?)
        /// The line does not belong to a head. These lines before it are not one, either.
        case breaks([ArraySlice<UInt8>])
    }

    private enum Part { case rule, group, room }

    private(set) var lines: [ArraySlice<UInt8>] = []
    private var last: Part?
    private var (room, group): (String?, String?)

    /// QQ writes 64.
    private static let minimumRule = 16
    /// A head has five lines.
    private static let maximumLines = 5

    /// Returns the rooms of the heads in some lines.
    static func rooms(in lines: some Sequence<ArraySlice<UInt8>>) -> [String] {
        var (head, rooms) = (QQHead(), [String]())
        for line in lines {
            switch head.add(line, isCut: false) {
            case .continues: continue
            case .ends(let room, _): rooms.append(room)
            case .breaks:
                head = QQHead()
                if case .continues = head.add(line, isCut: false) { continue }
            }
            head = QQHead()
        }
        return rooms
    }

    /// Adds a line to the head.
    mutating func add(_ line: ArraySlice<UInt8>, isCut: Bool) -> Result {
        guard let part = isCut ? nil : Self.part(line), follows(part), lines.count < Self.maximumLines else {
            return .breaks(lines)
        }
        if part == .room { room = Self.value(line, of: "消息对象") }
        if part == .group { group = Self.value(line, of: "消息分组") }
        if part == .rule, last == .room, let room { return .ends(room: room, group: group) }
        last = part
        // A copy, because a slice keeps the bytes around it in memory.
        lines.append(Array(line)[...])
        return .continues
    }

    private func follows(_ part: Part) -> Bool {
        switch last {
        case nil: part == .rule
        case .rule: part != .rule
        case .group, .room: part == .rule
        }
    }

    private static func part(_ line: ArraySlice<UInt8>) -> Part? {
        if line.count >= minimumRule, line.allSatisfy({ $0 == Byte.equals }) { return .rule }
        if value(line, of: "消息分组") != nil { return .group }
        return value(line, of: "消息对象") != nil ? .room : nil
    }

    /// Returns the text after `KEY:`; nil if there is none.
    static func value(_ line: ArraySlice<UInt8>, of key: String) -> String? {
        guard let rest = line.after(key), let value = rest.after(":") ?? rest.after("：") else { return nil }
        return ExportText.name(LogText(value).string.trimmedOfBlanks)
    }
}
