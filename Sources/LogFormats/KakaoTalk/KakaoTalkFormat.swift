import Bytes
import ChatModel

/// The text that KakaoTalk's "Export chat" writes on Windows, Android, iOS and macOS, in Korean and English.
///
/// A message continues until the next line that begins a day or a record. So a line of a message that looks like a
/// record becomes a record.
package struct KakaoTalkFormat: LogFormat {
    package static let name = "kakaotalk"
    package static let programs = "KakaoTalk"
    /// 64 KiB of text, and the time and name before it.
    package static let maximumLine = HeldText.maximumSize + 1024
    package static let hasLocalTimes = true
    package static let hidesOwner = true
    /// Android and iOS, Android formerly in Korean, Android and iOS formerly in English.
    package static let ownerWords = ["나", "회원님", "you", "You"]

    /// A record that may continue.
    private struct Held {
        var line: LogLine
        /// Nil if the date is unknown, or not in the calendar.
        var time: LineTime?
        var sender: ArraySlice<UInt8>?
        var text: HeldText
        /// True while the quotes of a row are not closed.
        var isOpen = false
    }

    private let room: String
    /// True if the export says that the room is a conversation of two.
    private let isDirect: Bool
    private let shape: KakaoTalkShape
    private var clock: LogClock
    /// The day of the records that have only a time.
    private var day: CalendarDate?
    /// The time of the day's last record in seconds, which notices without a time get as well.
    private var lastSeconds = 0
    private var held: Held?
    /// A line that looks like a day, until the next line shows whether it is one; and the empty lines after it.
    private var possibleDay: (date: CalendarDate, line: ArraySlice<UInt8>, emptyLines: Int)?
    /// True before a file's first day or record.
    private var isInHeader = true
    /// The names of the senders, at most ``maximumSenders``.
    private var senders: Set<ArraySlice<UInt8>> = []

    /// The limit of remembered names: 1 MiB of the longest ones. A room has at most 3,000 members.
    private static let maximumSenders = 4096
    private var places = SenderPlaces<ArraySlice<UInt8>>()

    /// - Throws: ``LogSourceError/noRoom`` if neither the title nor the file's name has a room, and none is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        shape = KakaoTalkShape(source.beginning) ?? .dated
        let title = Self.title(in: source.beginning, isPhone: shape == .dated || shape == .timed)
        let written = title ?? KakaoTalkHeader.room(ofFile: source.name)
        guard let room = source.room ?? written?.name else { throw .noRoom }
        (self.room, isDirect) = (room.withoutNUL, written?.isDirect ?? false)
        clock = LogClock(zone: source.zone, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }
    package var heldLine: LogLine? { held?.line }
    package var namesOwner: Bool { shape == .bracketed || shape == .rows }

    package mutating func begin(file path: String) { isInHeader = true }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        if shape == .rows { return readRow(line) }
        switch KakaoTalkLine(line.bytes, shape: shape) {
        case .record(let record) where isRecord(record): return begin(record, line)
        case .day(let date): return begin(date, line)
        case .record, nil: return continueRecord(line)
        }
    }

    package mutating func finish() -> ParsedLine {
        possibleDay = nil
        guard let held else { return .nothing }
        self.held = nil
        guard !held.isOpen else { return .unreadable("its quotes are not closed") }
        guard let time = held.time else {
            let lacksDay = day == nil && (shape == .bracketed || shape == .timed)
            return .unreadable(lacksDay ? "no earlier line gives its date" : "its date does not exist")
        }
        return .message(message(held, at: time))
    }
}

// MARK: - Lines

extension KakaoTalkFormat {
    /// Returns true unless the line can be a part of a message: one with only a time, and words that are not a known
    /// notice.
    private func isRecord(_ record: KakaoTalkRecord) -> Bool {
        shape != .timed || record.sender != nil || held == nil || KakaoTalkNotice(record.text) != nil
    }

    private mutating func begin(_ date: CalendarDate, _ line: LogLine) -> ParsedLine {
        guard shape != .bracketed, held != nil else {
            let before = finish()
            (day, lastSeconds, isInHeader) = (date, 0, false)
            return before
        }
        keepPossibleDay()
        possibleDay = (date, line.bytes, 0)
        return .nothing
    }

    private mutating func begin(_ record: KakaoTalkRecord, _ line: LogLine) -> ParsedLine {
        if let possible = possibleDay {
            if record.date == nil || record.date == possible.date {
                (day, lastSeconds) = (possible.date, 0)
            } else {
                keepPossibleDay()
            }
        }
        let before = finish()
        isInHeader = false
        lastSeconds = record.time.seconds
        let stamp = LineStamp(
            date: record.date ?? day, seconds: record.time.seconds, resolution: record.time.resolution)
        let time = stamp.date == nil ? nil : clock.resolve(stamp, line: line.number)
        held = Held(
            line: line, time: time, sender: record.sender, text: HeldText(record.text, isCut: line.isCut))
        if shape == .bracketed, let sender = record.sender { remember(sender) }
        return before
    }

    private mutating func remember(_ sender: ArraySlice<UInt8>) {
        guard !senders.contains(sender), senders.count < Self.maximumSenders else { return }
        // A copy, because a slice keeps its whole line in memory.
        senders.insert(Array(sender)[...])
    }

    private mutating func continueRecord(_ line: LogLine) -> ParsedLine {
        if shape == .bracketed, day != nil, let notice = KakaoTalkNotice(line.bytes), isNotice(notice) {
            return beginNotice(line)
        }
        guard held != nil else {
            if line.bytes.isBlank || isInHeader && KakaoTalkHeader(line.bytes) != nil { return .nothing }
            return .unreadable("it has no time, and no line before it begins a message")
        }
        if line.bytes.isEmpty, possibleDay != nil {
            possibleDay?.emptyLines += 1
            return .nothing
        }
        keepPossibleDay()
        held?.text.append(line.bytes, isCut: line.isCut)
        return .nothing
    }

    /// Returns true if the line alone is a notice. English notices need the name of a person who wrote earlier.
    private func isNotice(_ notice: KakaoTalkNotice) -> Bool {
        !notice.isCommon || notice.sender.map { senders.contains($0) } ?? false
    }

    /// Begins a notice of Windows, which has no time: uses the time of the record before it, or midnight.
    private mutating func beginNotice(_ line: LogLine) -> ParsedLine {
        let before = finish()
        let stamp = LineStamp(date: day, seconds: lastSeconds, resolution: .minute)
        held = Held(
            line: line, time: clock.resolve(stamp, line: line.number), sender: nil,
            text: HeldText(line.bytes, isCut: line.isCut))
        return before
    }

    /// Appends a line that looked like a day to the message, because no record of that day follows.
    private mutating func keepPossibleDay() {
        guard let possible = possibleDay else { return }
        possibleDay = nil
        held?.text.append(possible.line, isCut: false)
        for _ in 0..<possible.emptyLines { held?.text.append([], isCut: false) }
    }

    private mutating func readRow(_ line: LogLine) -> ParsedLine {
        let row = KakaoTalkRow(line.bytes)
        if held?.isOpen == true, !(row?.isCertain ?? false) {
            let (text, isClosed) = KakaoTalkRow.unquoted(line.bytes)
            held?.text.append(text[...], isCut: line.isCut)
            held?.isOpen = !isClosed && !line.isCut
            return .nothing
        }
        if row == nil, let notice = KakaoTalkRow.notice(line.bytes), let last = clock.last {
            let before = finish()
            held = Held(line: line, time: last, sender: nil, text: HeldText(notice[...], isCut: line.isCut))
            return before
        }
        guard let row else {
            if line.bytes.isBlank || isInHeader && KakaoTalkRow.isHeader(line.bytes) { return .nothing }
            return .unreadable("not a valid row of KakaoTalk")
        }
        let before = finish()
        isInHeader = false
        let stamp = LineStamp(date: row.date, seconds: row.time.seconds, resolution: .second)
        held = Held(
            line: line, time: clock.resolve(stamp, line: line.number), sender: row.sender[...].trimmed,
            text: HeldText(row.text[...], isCut: line.isCut), isOpen: row.isOpen && !line.isCut)
        return before
    }
}

// MARK: - Messages

extension KakaoTalkFormat {
    private mutating func message(_ held: Held, at time: LineTime) -> ImportedMessage {
        let text = held.text.whole
        let sender = held.sender.flatMap { $0.isEmpty ? nil : $0 }
        var message = ImportedMessage(
            room: room, roomKind: isDirect ? .direct : .group, kind: .message, sender: nil, body: nil, time: time.time,
            resolution: time.resolution,
            place: time.place, flags: held.text.isCut ? .oversize : [])
        if let notice = notice(in: text, by: sender) {
            message.set(notice.kind, notice.sender, notice.body.map { $0[...] })
        } else if let sender {
            let place = places.place(of: sender, at: time.time)
            switch KakaoTalkContent(text) {
            case .text: message.set(.message, sender, text)
            case .file(let name):
                message.set(.message, sender, nil)
                message.files = [.init(path: LogText(name).string)]
            case .deleted:
                message.set(.message, sender, nil)
                message.deletedAt = time.time
                message.placeOfDeleted = place
            }
        } else {
            message.set(.system, nil, text)
        }
        return message
    }

    /// Returns the notice in a text without a sender, or in a row, whose sender is the person who acts.
    private func notice(in text: ArraySlice<UInt8>, by sender: ArraySlice<UInt8>?) -> KakaoTalkNotice? {
        guard sender == nil || shape == .rows else { return nil }
        let end = text.firstIndex(of: Byte.lineFeed) ?? text.endIndex
        guard var notice = KakaoTalkNotice(text[..<end]) else { return nil }
        if let sender, notice.isOfAnother {
            guard end == text.endIndex else { return nil }
            notice.sender = notice.body.map { sender.elementsEqual($0) } ?? true ? nil : sender
        } else if let sender {
            let person = notice.sender ?? (notice.kind == .kick ? notice.body?[...] : nil)
            guard person == sender, end == text.endIndex else { return nil }
        } else if end < text.endIndex {
            notice.body = (notice.body.map { $0 + [Byte.lineFeed] } ?? []) + text[(end + 1)...]
        }
        return notice
    }

    /// Returns the room in the title, which is one of the first lines.
    private static func title(in beginning: [UInt8], isPhone: Bool) -> KakaoTalkHeader.Room? {
        for line in IRCLog.lines(of: beginning, first: 5) {
            if case .title(let room?)? = KakaoTalkHeader(line, isPhone: isPhone) { return room }
        }
        return nil
    }
}
