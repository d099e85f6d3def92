import Bytes
import ChatModel

/// The logs of the IRC client KVIrc, one file for each day and window: the number of the kind of message, the time, the
/// text with KVIrc's links. `25 [06:23:11] <alice> hi` is a message in every language.
///
/// `channel_#example.libera_2026.11.21.log`, `query_alice.libera_2026.11.21.log` (KVIrc 4 and 5).
package struct KVIrcFormat: LogFormat {
    package static let name = "kvirc"
    package static let programs = "KVIrc 4 and 5"
    package static let isOfIRC = true
    package static let maximumLine = UnreadableLine.maximumPayload
    package static let hasLocalTimes = true

    private let room: IRCLog.Room
    private var clock: LogClock

    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        guard let first = lines.first, KVIrcLine(first) != nil else { return false }
        return lines.contains { line in
            guard let line = KVIrcLine(line) else { return false }
            return line.number == KVIrcLine.session || line.text.range(of: "\r!") != nil
        }
    }

    /// - Throws: ``LogSourceError`` if the file's name has no date or no room.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let day = LocalDay(named: source.name, zone: source.zone) else { throw .noDate }
        guard let room = source.room.map({ IRCLog.Room(name: $0) }) ?? KVIrcName(source)?.room else { throw .noRoom }
        self.room = room
        clock = LogClock(day: day, zone: source.zone, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        guard let read = KVIrcLine(line.bytes) else { return .unreadable("not a valid kvirc line") }
        let time = clock.resolve(read.stamp, line: line.number)
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        if read.number == KVIrcLine.session { return .nothing }
        guard let time else { return .unreadable("no earlier line gives its date") }
        return .message(read.content.message(in: room, at: time))
    }

    package static func accountName(in source: LogSource) -> String? {
        NetworkName.plausible(KVIrcName(source)?.network)
    }
}

/// The window and the network in a file's name.
struct KVIrcName {
    let room: IRCLog.Room
    let network: String?

    /// A channel's name may have a point, and a network's, too: the links in the lines decide, else the last point.
    init?(_ source: LogSource) {
        let stem = RoomName.stem(of: source.name)
        guard let (kind, name) = Self.parted(stem, at: "_"), !name.isEmpty else { return nil }
        switch kind {
        case "channel":
            let written = Self.channels(in: source.beginning).first { channel in
                name.lowercased() == channel.lowercased() || name.lowercased().hasPrefix(channel.lowercased() + ".")
            }
            let point = name.lastIndex(of: ".")
            room = IRCLog.Room(name: written ?? String(point.map { name[..<$0] } ?? name))
            let rest = written.map { name.dropFirst($0.count + 1) } ?? point.map { name[name.index(after: $0)...] }
            network = rest.flatMap { $0.isEmpty ? nil : String($0) }
        case "query", "dccchat":
            // No nick has a point (RFC 2812 §2.3.1).
            let (nick, rest) = Self.parted(String(name), at: ".") ?? (name, "")
            room = IRCLog.Room(name: String(nick), isDirect: true)
            network = rest.isEmpty ? nil : String(rest)
        case "console":
            (room, network) = (IRCLog.Room(name: String(name)), String(name))
        default: return nil
        }
    }

    private static func parted(_ text: String, at mark: Character) -> (Substring, Substring)? {
        text.firstIndex(of: mark).map { (text[..<$0], text[text.index(after: $0)...]) }
    }

    /// Returns the channels to which lines link.
    private static func channels(in beginning: [UInt8]) -> Set<String> {
        var channels: Set<String> = []
        for line in IRCLog.eachLine(of: beginning) {
            guard let rest = line.parted(by: "\r!c\r#")?.right else { continue }
            channels.insert("#" + LogText(rest.prefix { $0 != Byte.carriageReturn }).string)
            if channels.count == 100 { break }
        }
        return channels
    }
}
