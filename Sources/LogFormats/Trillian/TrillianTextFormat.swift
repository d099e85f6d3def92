import Bytes
import ChatModel

/// The text logs of Trillian, which it writes beside those of ``TrillianFormat``: `[06:23] Bob: hi`, in sessions from
/// `Session Start (ICQ - 1000:Bob): Sat Nov 21 06:23:11 2026` to `Session Close (Bob): Sat Nov 21 07:00:00 2026`.
///
/// The form of a line's time is the user's choice, and a line may have none (`Bob: hi`). A line without one continues the
/// message before it, if a line of its session has one.
package struct TrillianTextFormat: LogFormat {
    package static let name = "trillian-log"
    package static let programs = "Trillian (text)"
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true
    package static let ownerWords = ["Me"]

    private let room: IRCLog.Room
    private let roomKind: RoomReference.Kind
    private var clock: LogClock
    /// The present session; nil outside of one.
    private var session: TrillianSession?
    /// The beginning of the session, until a line has a time.
    private var start: LineStamp?
    /// The time of the session's lines without a time; nil until one comes.
    private var startTime: LineTime?
    private var held: HeldEntry<TrillianLine>?
    private var untimed = LineCount()

    // MARK: - Recognition

    /// Recognises a file that begins with a session.
    package static func recognises(_ source: LogSource) -> Bool {
        let first = IRCLog.eachLine(of: source.beginning).first { !$0.isBlank }
        if case .start? = first.flatMap(TrillianSessionLine.init) { return true }
        return false
    }

    package static func fullerFile(beside name: String) -> String? {
        name.lowercased().hasSuffix(".log") ? "\(name.dropLast(4)).xml" : nil
    }

    /// Returns true for an XML log whose first message is at most a day later than the beginning of the first session. The
    /// zone of the session may be off by some hours.
    package static func isFuller(_ file: LogSource, than source: LogSource) -> Bool {
        guard let first = TrillianFormat.firstTime(in: file), let session = firstSession(of: source)?.time,
            let day = LocalDay(session.date, zone: source.zone)
        else { return false }
        return first <= day.instants(of: session.clock.seconds).first.advanced(byMicroseconds: 86_400_000_000)
    }

    /// - Throws: ``LogSourceError/noRoom`` if neither the file's name nor a session gives a contact, and no room is given.
    package init(_ source: LogSource) throws(LogSourceError) {
        let (place, first) = (TrillianPlace(source), Self.firstSession(of: source))
        guard let room = source.room ?? place.contact ?? first?.contact else { throw .noRoom }
        self.room = IRCLog.Room(name: room)
        roomKind = place.roomKind(medium: first?.medium)
        clock = LogClock(zone: source.zone, now: source.now)
    }

    private static func firstSession(of source: LogSource) -> TrillianSession? {
        for line in IRCLog.eachLine(of: source.beginning) {
            if case .start(let session)? = TrillianSessionLine(line) { return session }
        }
        return nil
    }

    /// Returns the network, such as `icq`, in small letters.
    package static func accountName(in source: LogSource) -> String? {
        firstSession(of: source)?.medium.flatMap { ExportText.name($0.lowercased()) }
    }

    package var heldLine: LogLine? { held?.line }

    package var assumptions: [String] {
        clock.assumptions
            + [untimed.sentence("lines without a time, which get the time at which their session began")].compactMap(
                \.self)
    }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        switch TrillianSessionLine(line.bytes) {
        case .start(let session)?: return begin(session)
        case .close?:
            defer { session = nil }
            return finish()
        case nil: break
        }
        guard let session else {
            return line.bytes.isBlank ? .nothing : .unreadable("no session that gives its date begins before it")
        }
        var rest = line.bytes
        if let stamp = TrillianLine.stamp(taking: &rest, near: session.time.date) {
            let isInSession = start == nil
            passMidnight(before: stamp)
            let time = clock.resolve(stamp, line: line.number, isInSession: isInSession)
            return hold(TrillianLine(rest, in: session), line, at: time)
        }
        guard let start, let entry = TrillianLine(untimed: rest, in: session) else { return resume(with: line) }
        startTime = startTime ?? clock.resolve(start, line: line.number)
        untimed.note(line.number)
        return hold(entry, line, at: startTime)
    }

    /// Begins the next day, if the first time of a session is of the day after the session's beginning.
    private mutating func passMidnight(before stamp: LineStamp) {
        defer { start = nil }
        guard stamp.date == nil, let start, start.seconds - stamp.seconds > Self.largestStepBack,
            let day = start.date?.daysSince1970
        else { return }
        clock.begin(CalendarDate(daysSince1970: day + 1))
    }

    /// 18 hours: a clock of 12 hours without its half is 12 hours behind the session's beginning.
    private static let largestStepBack = 18 * 3600

    /// - Parameter session: Nil for one whose time can't be read.
    private mutating func begin(_ session: TrillianSession?) -> ParsedLine {
        let before = finish()
        (self.session, startTime) = (session, nil)
        start = session.map { session in
            LineStamp(date: session.time.date, seconds: session.time.clock.seconds, resolution: .second)
        }
        clock.begin(session?.time.date)
        return before == .nothing && session == nil ? .unreadable("can't read its date") : before
    }

    private mutating func hold(_ entry: TrillianLine, _ line: LogLine, at time: LineTime?) -> ParsedLine {
        let before = finish()
        held = HeldEntry(line, at: time, entry, entry.text)
        return before
    }

    private mutating func resume(with line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard held != nil else { return line.bytes.isBlank ? .nothing : .continuesNothing }
        held?.append(line.bytes)
        return .nothing
    }

    package mutating func finish() -> ParsedLine {
        guard let held else { return .nothing }
        self.held = nil
        let parsed = held.message(in: room, maximum: Self.maximumLine) { text in
            IRCLine(held.content.sender == nil ? .system : .message, held.content.sender, TrillianLine.linked(text))
        }
        guard case .message(var message) = parsed else { return parsed }
        message.roomKind = roomKind
        return .message(message)
    }
}
