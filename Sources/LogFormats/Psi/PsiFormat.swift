import Bytes
import ChatModel

/// The history of the XMPP client Psi, one file for each person: `|2026-11-21T06:23:11|1|from|N---|text`.
///
/// A line has the local time, the type, the direction, flags and the text, with a subject or an address before it if the
/// flags say so. `\n`, `\p` and `\\` stand for a line end, `|` and `\` (`src/eventdb.cpp`).
package struct PsiFormat: LogFormat {
    package static let name = "psi"
    package static let programs = "Psi, Psi+ (history files)"
    package static let keepsNames = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true
    package static let ownerWords = [OwnWord.sender]

    private let room: String
    private var clock: LogClock

    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        let fitting = lines.count { PsiLine($0) != nil }
        return fitting > 0 && fitting * 2 >= lines.count
    }

    package static func isOwnName(_ name: String) -> Bool { name.hasSuffix(ending) }

    private static let ending = ".history"

    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = source.room?.withoutNUL ?? Self.address(of: source.name) else { throw .noRoom }
        self.room = room
        clock = LogClock(zone: source.zone, now: source.now)
    }

    /// Returns `alice@example.net` for `alice_at_example.net.history`; nil for another name.
    private static func address(of name: String) -> String? {
        guard name.hasSuffix(ending) else { return nil }
        let stem = name.dropLast(ending.count)
        guard let at = stem.firstRange(of: "_at_") else { return ExportText.name(PercentCode.decode(String(stem))) }
        return ExportText.name(PercentCode.decode(stem[..<at.lowerBound] + "@" + stem[at.upperBound...]))
    }

    package var assumptions: [String] { clock.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let parsed = PsiLine(line.bytes) else { return .unreadable("not a valid psi line") }
        guard let time = clock.resolve(parsed.stamp, line: line.number) else {
            return .unreadable("its date is not in the calendar")
        }
        let text = LogText(parsed.text[...])
        let body = ExportText(lines: [parsed.subject.map { LogText($0[...]).string }, text.string, parsed.address])
        let isAction = parsed.subject == nil && text.string.hasPrefix("/me ")
        var message = ImportedMessage(
            room: room, roomKind: .direct, kind: isAction ? .action : .message,
            sender: parsed.isOwn ? OwnWord.sender : room,
            body: isAction ? body.string.map { String($0.dropFirst(4)) } : body.string ?? "", time: time.time,
            resolution: time.resolution, place: time.place, flags: text.flags.union(body.flags))
        // 4 is an error of the server; 0, 1 and 5 are messages; the others are about who may see whom.
        if ![0, 1, 5].contains(parsed.type) { (message.kind, message.sender) = (.system, nil) }
        return .message(message)
    }
}

/// A line of Psi's history.
private struct PsiLine {
    let stamp: LineStamp
    let type: Int
    let isOwn: Bool
    private(set) var subject: [UInt8]?
    private(set) var address: String?
    let text: [UInt8]

    private static let bar = UInt8(ascii: "|")

    init?(_ line: ArraySlice<UInt8>) {
        var rest = line
        func take() -> ArraySlice<UInt8>? {
            guard let end = rest.firstIndex(of: Self.bar) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return rest[..<end]
        }
        guard take()?.isEmpty == true, var time = take(),
            let type = take().flatMap({ Int(String(decoding: $0, as: UTF8.self)) }),
            (0...8).contains(type), let origin = take().map({ String(decoding: $0, as: UTF8.self) }),
            ["from", "to"].contains(origin), let flags = take(), flags.count == 4,
            let stamp = LineStamp(taking: &time, brackets: .none), stamp.date != nil, time.isEmpty
        else { return nil }
        (self.stamp, self.type, isOwn) = (stamp, type, origin == "to")
        let fields = Byte.hexadecimal(flags[flags.startIndex + 1]) ?? 0
        if fields & 1 != 0 { subject = take().map(Self.decoded) }
        if fields & 2 != 0 {
            address = take().map { String(decoding: Self.decoded($0), as: UTF8.self) }
            _ = take()
        }
        text = Self.decoded(rest)
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], text)
        bytes.reserveCapacity(text.count)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "p"): bytes.append(bar)
            case UInt8(ascii: "\\"): bytes.append(next)
            default: bytes += [byte, next]
            }
        }
        return bytes
    }
}
