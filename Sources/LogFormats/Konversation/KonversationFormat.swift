import Bytes
import ChatModel

/// The logs of the IRC client Konversation: `[Saturday, 21 November 2026] [06:23:11 +0900] <alice>`, a tab, the text;
/// events after a word in the user's language, such as `Join` (`src/viewer/chatwindow.cpp` of 22.12).
///
/// Dates and times are in the user's language.
package struct KonversationFormat: LogFormat {
    package static let name = "konversation"
    package static let programs = "Konversation"
    package static let isOfIRC = true
    package static let maximumLine = UnreadableLine.maximumPayload
    package static let hasLocalTimes = true

    private let room: IRCLog.Room
    private var clock: LogClock
    private var words = KonversationWords()

    package static func recognises(_ source: LogSource) -> Bool {
        IRCLog.lines(of: source.beginning, first: 20).contains {
            KonversationEntry($0)?.text.contains(Byte.tab) ?? false
        }
    }

    /// - Throws: ``LogSourceError/noRoom`` for a file without a name.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = Self.room(of: source) else { throw .noRoom }
        self.room = room
        clock = LogClock(zone: source.zone, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        // The heading of a session, in the user's language: `*** Logfile started`.
        guard !line.bytes.isBlank, !line.bytes.starts(with: "*** ") else { return .nothing }
        guard let entry = KonversationEntry(line.bytes) else { return .unreadable("not a valid konversation line") }
        let time = clock.resolve(entry.stamp, line: line.number)
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let time else { return .unreadable("its date does not exist") }
        return .message(words.content(entry.text).message(in: room, at: time))
    }

    /// Returns the channel of `libera_#example.log`, the person of `libera_alice.log` or the network's own window,
    /// `libera.log`. A channel is written as the line about one's own joining writes it.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        if let room = source.room { return IRCLog.Room(name: room) }
        if let named = NamedRoom(in: source, joined: joinedRooms(in: source.beginning), room: RoomName.inStem) {
            return IRCLog.Room(name: named.name)
        }
        let stem = RoomName.stem(of: source.name)
        guard let name = stem.split(separator: "_", maxSplits: 1).last.map(String.init) else { return nil }
        return IRCLog.Room(name: name, isDirect: name.count < stem.count)
    }

    /// Konversation 22.12.3.
    package static func namesInFiles(of room: String) -> [String] { [room.replacingEach(of: "/", with: "_")] }

    private static func joinedRooms(in beginning: [UInt8]) -> [String] {
        var rooms: Set<String> = []
        for line in IRCLog.eachLine(of: beginning) where line.contains(UInt8(ascii: "#")) {
            guard let entry = KonversationEntry(line), let room = KonversationWords.joinedRoom(entry.text) else {
                continue
            }
            rooms.insert(room)
            if rooms.count == 100 { break }
        }
        return rooms.sorted()
    }

    /// Returns `libera` for `libera_#example.log`, `libera_alice.log` and `libera.log`.
    package static func accountName(in source: LogSource) -> String? {
        let stem = RoomName.stem(of: source.name)
        return NetworkName.plausible(stem.split(separator: "_", maxSplits: 1).first.map(String.init))
    }
}

/// A line with its date and time: `[2026년 11월 21일 토요일] [오전 6시 23분 11초 +0900] <alice>`, a tab, the text.
struct KonversationEntry {
    let stamp: LineStamp
    let text: ArraySlice<UInt8>

    init?(_ line: ArraySlice<UInt8>) {
        guard let (date, rest) = line.after("[")?.parted(by: "] ["), date.count <= LocaleTime.maximumLength,
            let (clock, text) = rest.parted(by: "] "), clock.count <= LocaleTime.maximumLength,
            let date = LocaleDate.candidates(date).first, let (time, offset) = Self.time(clock)
        else { return nil }
        stamp = LineStamp(date: date, seconds: time.seconds, resolution: time.resolution, offset: offset)
        self.text = text
    }

    /// Reads `06:23:11 +0900`, `6:23:11 AM GMT+09:00`, `06:23:11 KST`, `06:23:11`.
    private static func time(_ text: ArraySlice<UInt8>) -> (LocaleTime, offset: Int?)? {
        if let time = LocaleTime(text) { return time.dates.isEmpty ? (time, nil) : nil }
        guard let space = text.lastIndex(of: Byte.space), let time = LocaleTime(text[..<space]), time.dates.isEmpty
        else {
            return nil
        }
        let zone = text[(space + 1)...]
        var scanner = ByteScanner(zone.after("GMT") ?? zone.after("UTC") ?? zone)
        return (time, scanner.offset())
    }
}

extension LineStamp {
    fileprivate init(date: CalendarDate, seconds: Int, resolution: TimeResolution, offset: Int?) {
        self.init(date: date, seconds: seconds, resolution: resolution)
        self.offset = offset
    }
}
