import Bytes
import ChatModel

/// A line of HexChat with its colours (`textevents.in` of 2.16): messages, actions and notices have the colours 18 to 20
/// at their marks, joins 23, leaves and renames 24, kicks, topics and modes 22.
struct HexChatPaintedLine {
    let time: Timestamp
    private let mark: ArraySlice<UInt8>
    private let text: ArraySlice<UInt8>

    init?(_ line: ArraySlice<UInt8>) {
        guard let rest = line.after("T ") else { return nil }
        var scanner = ByteScanner(rest)
        let digits = scanner.take(atMost: 11, while: Byte.isDigit)
        guard (9...10).contains(digits.count), scanner.take(Byte.space) else { return nil }
        time = Timestamp(seconds: digits.reduce(0) { $0 * 10 + Int64($1 - Byte.zero) })
        (mark, text) =
            scanner.rest.index(of: Byte.tab).map { (scanner.rest[..<$0], scanner.rest[($0 + 1)...]) }
            ?? ([], scanner.rest)
    }

    /// The channel of `Now talking on #example`, in any language: the colours 19 at the mark and 22 at the channel.
    var joinedChannel: String? {
        guard colour == 19, let name = part(22), name.isChannelName else { return nil }
        return LogText(name).string
    }

    /// - Returns: Nil for a line without text.
    func content(among people: inout HexChatPeople) -> IRCLine? {
        let plainMark = Self.plain(mark).trimmed
        guard !mark.isEmpty, !plainMark.isEmpty else {
            return Self.plain(text).isBlank ? nil : .system(Self.plain(text))
        }
        let read = plainMark.elementsEqual([Byte.star]) ? starred(among: people) : named(plainMark)
        if let name = read?.sender { people.note(name) }
        return read ?? (Self.plain(text).isBlank ? nil : .system(Self.plain(text)))
    }

    // MARK: - Messages

    /// Reads `<alice>`, `-alice-` and `-alice/#example-` before a text.
    private func named(_ mark: ArraySlice<UInt8>) -> IRCLine? {
        guard mark.count > 2 else { return nil }
        let name = mark.dropFirst().dropLast()
        switch (mark.first, mark.last) {
        case (UInt8(ascii: "<"), UInt8(ascii: ">")):
            return IRCLine.nick(name).map { IRCLine(.message, $0, LogText(said(text))) }
        case (Byte.dash, Byte.dash):
            return IRCLine.nick(name.prefix { $0 != Byte.slash }).map { IRCLine(.notice, $0, LogText(said(text))) }
        default:
            return nil
        }
    }

    /// Returns a person's words. HexChat ends the formatting after a notice and after one's own words.
    private func said(_ words: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        colour == 20 || mark.first == Byte.dash ? words.unwrapped("", "\u{F}") : words
    }

    /// Reads a line after a star.
    private func starred(among people: HexChatPeople) -> IRCLine? {
        guard let colour else { return nil }
        let isBold = text.starts(with: "\u{3}19\u{2}")
        if isAction || colour == 19 && isBold { return action }
        guard ![18, 20].contains(colour) else { return nil }
        let plain = Self.plain(text)
        return HexChatLine.event(plain, isSure: true) ?? HexChatKorean.event(plain) ?? event(colour, among: people)
    }

    /// True for the mark of an action: `You are now known as alice` has an end of formatting after its star.
    private var isAction: Bool { ["\u{3}18*", "\u{3}20*"].contains { mark.elementsEqual($0.utf8) } }

    /// Reads `alice waves`. The formatting of the name ends with it.
    private var action: IRCLine? {
        guard let end = text.index(of: Byte.space), let name = IRCLine.nick(text[..<end]) else { return nil }
        return IRCLine(.action, name, LogText(said(text[(end + 1)...])))
    }

    // MARK: - Events in any language

    private func event(_ colour: Int, among people: HexChatPeople) -> IRCLine? {
        switch colour {
        case 23: address.map { IRCLine(.join, $0.name) }
        case 24 where isReset: renamed
        case 24: left(among: people)
        case 22: changed
        default: nil
        }
    }

    /// True if the mark ends the formatting.
    private var isReset: Bool { mark.last == 0x0F }

    /// Reads `alice (~alice@host)` at the beginning.
    private var address: (name: LogText, rest: ArraySlice<UInt8>)? {
        let plain = Self.plain(text)
        guard let (name, rest) = plain.parted(by: " ("), let name = IRCLine.nick(name),
            let end = rest.index(of: UInt8(ascii: ")")), rest[..<end].contains(Byte.at)
        else { return nil }
        return (name, rest[(end + 1)...])
    }

    private func left(among people: HexChatPeople) -> IRCLine? {
        let plain = Self.plain(text)
        let name = address?.name ?? people.named(in: plain.prefix { $0 != Byte.space })
        let words = address?.rest ?? plain
        let why = words.last == UInt8(ascii: ")") ? words.parted(by: "(")?.right.dropLast() : nil
        return name.map { IRCLine(.leave, $0, why.map { LogText($0) }) }
    }

    private var renamed: IRCLine? {
        guard let old = part(28).flatMap(IRCLine.nick), let new = part(18).flatMap(IRCLine.nick) else { return nil }
        return IRCLine(.rename, old, new)
    }

    /// Reads a kick, a topic or a mode: only a topic's person is followed by a colour's end, and no other person.
    private var changed: IRCLine? {
        guard let by = part(26), let name = IRCLine.nick(by) else { return nil }
        let victim = part(18).flatMap(IRCLine.nick)
        if let victim, part(22) != nil {
            let why = text.parted(by: "\u{3}24")?.right.unwrapped("", ")").unwrapped("", "\u{F}")
            return IRCLine.kick(victim, name, why ?? [])
        }
        if let mode = part(24), "+-".utf8.contains(mode.first ?? 0) { return IRCLine(.mode, name, LogText(mode)) }
        guard victim == nil, text[by.endIndex...].first == 0x03, let (_, words) = text[by.endIndex...].parted(by: ": ")
        else { return nil }
        return IRCLine(.topic, name, LogText(words.unwrapped("", "\u{F}")))
    }

    // MARK: - Colours

    /// The code around what HexChat hides, such as the brackets of names.
    private static let hidden: UInt8 = 0x08

    private static func plain(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        TextFormatting.strip(bytes.filter { $0 != hidden })[...]
    }

    /// The colour at the beginning of the mark; nil for none.
    private var colour: Int? {
        guard mark.first == 0x03 else { return nil }
        return Int(String(decoding: mark.dropFirst().prefix { Byte.isDigit($0) }.prefix(2), as: UTF8.self))
    }

    /// Returns the first part of the text that has a colour, up to the next code.
    private func part(_ colour: Int) -> ArraySlice<UInt8>? {
        guard let start = text.range(of: "\u{3}\(colour)") else { return nil }
        let part = text[start.upperBound...].prefix { $0 >= Byte.space }
        return part.isEmpty ? nil : part
    }
}
