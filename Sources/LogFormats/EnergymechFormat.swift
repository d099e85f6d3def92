import ChatModel

/// The logs of the IRC bot energymech, as it writes them and as its readers have passed them on.
///
/// A file is a day, which its name tells, of one room. `[03:41] <alice> hi`, `[03:41] * alice waves`, `[03:41] -alice- hi`,
/// with seconds or without, and for everything else `[03:41] *** …` or `=== …`, which has no time of its own and then
/// happened with the line before it.
package struct EnergymechFormat: LogFormat {
    package static let name = "energymech"
    package static let maximumLine = UnreadableLine.maximumPayload
    package static let hasLocalTimes = true

    private let room: String
    private var clock: LogClock
    private var resolution = TimeResolution.minute

    package static func recognises(_ source: LogSource) -> Bool {
        LocalDay(named: source.name, zone: source.zone) != nil && firstTime(in: source.beginning) != nil
    }

    /// - Throws: ``LogSourceError``: without a date in its name nothing can be placed, without a room neither.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let day = LocalDay(named: source.name, zone: source.zone) else { throw .noDate }
        guard let room = source.room ?? RoomName.inFileName(source.name) ?? Self.room(in: source.beginning) else {
            throw .noRoom
        }
        self.room = room.withoutNUL
        clock = LogClock(day: day)
        _ = clock.read(Self.firstTime(in: source.beginning)?.seconds ?? 0)
    }

    package mutating func read(_ line: LogLine) -> ParsedLine {
        guard !line.isCut else { return .unreadable("it is longer than \(Self.maximumLine) bytes") }
        var rest = line.bytes
        guard rest.contains(where: { $0 != UInt8(ascii: " ") }) else { return .nothing }
        if let time = ClockTime(taking: &rest) {
            _ = clock.read(time.seconds)
            resolution = time.resolution
        }
        guard let time = clock.now, let said = EnergymechLine(rest) else {
            return .unreadable("it is no line of energymech's")
        }
        return .message(
            ImportedMessage(
                room: room, kind: said.kind, sender: said.sender?.string, body: said.body?.string, time: time,
                resolution: resolution,
                flags: (said.sender?.flags ?? []).union(said.body?.flags ?? [])))
    }

    private static func lines(of beginning: [UInt8]) -> [ArraySlice<UInt8>] {
        beginning.split(separator: UInt8(ascii: "\n"))
    }

    private static func firstTime(in beginning: [UInt8]) -> ClockTime? {
        for var line in lines(of: beginning) {
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            if let time = ClockTime(taking: &line) { return time }
        }
        return nil
    }

    /// That somebody joins, or of a mode or topic.
    private static func room(in beginning: [UInt8]) -> String? {
        for line in lines(of: beginning) where line.starts(with: "=== ".utf8) {
            let text = String(decoding: line, as: UTF8.self)
            if let match = text.firstMatch(of: /(?:has joined |mode\/|\[topic\/)([#&][^ \[\]:\r]+)/) {
                return String(match.1)
            }
        }
        return nil
    }
}

/// `[03:41] ` or `[03:41:59] `.
struct ClockTime: Hashable {
    /// Since midnight.
    let seconds: Int
    let resolution: TimeResolution

    /// Takes it and the space after it from the beginning of a line; nil, and nothing taken, where there is none.
    init?(taking line: inout ArraySlice<UInt8>) {
        guard line.first == UInt8(ascii: "["), let end = line.prefix(10).firstIndex(of: UInt8(ascii: "]")) else {
            return nil
        }
        let parts = line[(line.startIndex + 1)..<end].split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap(Self.number)
        guard numbers.count == parts.count, numbers.count == 2 || numbers.count == 3,
            numbers[0] < 24, numbers[1] < 60, numbers.count == 2 || numbers[2] < 60
        else { return nil }
        seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
        resolution = numbers.count == 3 ? .second : .minute
        line = line[(end + 1)...]
        if line.first == UInt8(ascii: " ") { line = line.dropFirst() }
    }

    /// Two digits.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count == 2, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

/// Rooms in the names of files.
enum RoomName {
    /// `#example` in `#example_2026-11-21.log`.
    static func inFileName(_ name: String) -> String? {
        name.firstMatch(of: /[#&][^ .,:\/]*?(?=[-_.]?[12][0-9]{3}|\.|$)/).flatMap {
            $0.output.count > 1 ? String($0.output) : nil
        }
    }
}
