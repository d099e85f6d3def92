import Bytes
import ChatModel

/// A line: the number of its kind, its time, and its text.
struct KVIrcLine {
    /// The kind (`kvi_out.h`).
    let number: Int
    let stamp: LineStamp
    let text: ArraySlice<UInt8>

    /// The beginning or the end of logging.
    static let session = 144

    init?(_ line: ArraySlice<UInt8>) {
        var scanner = ByteScanner(line)
        let digits = scanner.take(atMost: 3, while: Byte.isDigit)
        guard !digits.isEmpty, scanner.take(Byte.space) else { return nil }
        var rest = scanner.rest
        guard let stamp = LineStamp(taking: &rest, brackets: .required), stamp.date == nil else { return nil }
        (number, self.stamp, text) = (digits.reduce(0) { $0 * 10 + Int($1 - Byte.zero) }, stamp, rest)
    }

    var content: IRCLine {
        let read: IRCLine? =
            switch number {
            case 24, 25, 26: spoken(.message, until: UInt8(ascii: ">"))
            case 77, 79: spoken(.notice, until: Byte.star)
            case 32: action
            case 20: person(0).map { IRCLine(.join, $0) }
            case 21, 34: person(0).map { IRCLine(.leave, $0, reason) }
            case 23: topic
            case 37: renamed
            case 38...51: mode
            case 71: kick
            default: nil
            }
        return read ?? .system(KVIrcLinks(text).plain[...])
    }

    // MARK: - Content

    /// Reads `<alice> hi` with the name in a link, and colours and a mark around it.
    private func spoken(_ kind: MessageKind, until mark: UInt8) -> IRCLine? {
        let links = KVIrcLinks(text)
        guard let name = links.all.first, let nick = IRCLine.nick(name.text) else { return nil }
        guard let end = text[name.end...].firstIndex(of: mark), text[name.end..<end].allSatisfy({ $0 < 0x20 }) else {
            return nil
        }
        let words = text[(end + 1)...]
        return IRCLine(
            kind, nick, LogText(KVIrcLinks(words.first == Byte.space ? words.dropFirst() : words).plain[...]))
    }

    private var action: IRCLine? {
        guard let name = KVIrcLinks(text).all.first, let nick = IRCLine.nick(name.text) else { return nil }
        let words = text[name.end...]
        return IRCLine(
            .action, nick, LogText(KVIrcLinks(words.first == Byte.space ? words.dropFirst() : words).plain[...]))
    }

    /// Returns the person of a link to one, by its place among them.
    private func person(_ place: Int) -> LogText? {
        let people = KVIrcLinks(text).all.filter { $0.kind.first == UInt8(ascii: "n") }
        return people.indices.contains(place) ? IRCLine.nick(people[place].text) : nil
    }

    /// Returns the text after the address of the first person, or of the second one: `[~alice@host]`.
    private func afterAddress(_ count: Int) -> ArraySlice<UInt8>? {
        var rest = KVIrcLinks(text).plain[...]
        for _ in 0..<count {
            guard let at = rest.index(of: Byte.at), let end = rest[at...].index(of: Byte.listEnd) else { return nil }
            rest = rest[(end + 1)...]
        }
        return rest
    }

    /// Returns the text after words and a colon: of `has left #example: why` and `has quit IRC: why`.
    private var reason: LogText? { afterAddress(1)?.parted(by: ": ").map { LogText($0.right) } }

    private var renamed: IRCLine? {
        guard let old = person(0), let new = person(1) else { return nil }
        return IRCLine(.rename, old, new)
    }

    /// Reads `alice [~alice@host] has changed topic to "words"`; without quotes, the topic was unset.
    private var topic: IRCLine? {
        guard let name = person(0) else { return nil }
        let plain = KVIrcLinks(text).plain[...]
        guard let start = plain.firstIndex(of: Byte.quote), let end = plain.lastIndex(of: Byte.quote), start < end
        else {
            return IRCLine(.topic, name)
        }
        // KVIrc ends colours at the end.
        let words = plain[(start + 1)..<end]
        return IRCLine(.topic, name, LogText(words.last == 0x0F ? words.dropLast() : words))
    }

    /// Reads `alice [~alice@host] has set mode +o bob`.
    private var mode: IRCLine? {
        guard let name = person(0), let words = afterAddress(1) else { return nil }
        let parts = words.split(separator: Byte.space)
        guard let mode = parts.firstIndex(where: { $0.count > 1 && "+-".utf8.contains($0[$0.startIndex]) }) else {
            return nil
        }
        return IRCLine(.mode, name, LogText(Array(parts[mode...].joined(separator: [Byte.space]))[...]))
    }

    /// Reads `carol [~carol@host] has been kicked from #example by alice [~alice@host]: why`.
    private var kick: IRCLine? {
        guard let victim = person(0), let by = person(1) else { return nil }
        return IRCLine.kick(victim, by, afterAddress(2)?.after(": ") ?? [])
    }
}

/// The links of KVIrc in a text: CR, `!` and the kind, CR, the text, CR. Nobody can send a CR on IRC.
struct KVIrcLinks {
    struct Link {
        /// What follows the `!`: `n` or `nc` for a person, `c` for a channel, `h` for a host.
        let kind: ArraySlice<UInt8>
        let text: ArraySlice<UInt8>
        /// The index after the link.
        let end: Int
    }

    private(set) var all: [Link] = []
    /// The text without the marks of links.
    private(set) var plain: [UInt8] = []

    init(_ text: ArraySlice<UInt8>) {
        var rest = text
        while let start = rest.index(of: Byte.carriageReturn) {
            plain += rest[..<start]
            rest = rest[(start + 1)...]
            guard rest.first == Byte.bang, let middle = rest.index(of: Byte.carriageReturn) else { continue }
            // A CR at the end of a line is lost.
            let end = rest[(middle + 1)...].index(of: Byte.carriageReturn) ?? rest.endIndex
            let link = Link(
                kind: rest[(rest.startIndex + 1)..<middle], text: rest[(middle + 1)..<end],
                end: min(end + 1, text.endIndex))
            all.append(link)
            plain += link.text
            rest = text[link.end...]
        }
        plain += rest
    }
}
