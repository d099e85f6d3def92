import Bytes
import ChatModel

/// The events that programs mark with arrows and other signs. No message can begin like them, because a name in
/// brackets or a star stands before each.
enum IRCArrows {
    /// Reads an event of ChatZilla 0.9 or IRCCloud after its time; nil for another text.
    static func event(_ line: ArraySlice<UInt8>) -> IRCLine? {
        for (arrow, read) in arrows {
            guard let rest = line.after(arrow) else { continue }
            let text = rest.drop { $0 == Byte.space || $0 == Byte.tab }.trimmed
            guard rest.first == Byte.space || rest.first == Byte.tab, !text.isEmpty else { return nil }
            return read(text) ?? .system(text)
        }
        return nil
    }

    private static let arrows: [(arrow: String, read: @Sendable (ArraySlice<UInt8>) -> IRCLine?)] = [
        ("-->|", { arrival($0, "has joined ") }), ("<--|", { departure($0, "has left ") }),
        ("|<--", { departure($0, "has left ") }), ("=-=", changed),
        ("→", { arrival($0, "joined ") }), ("←", { departure($0, "left ") }), ("⇐", { departure($0, "quit ") }),
    ]

    /// Reads `alice (~alice@host) has joined #example`, `YOU (alice) have joined #example`, `alice joined
    /// (~alice@host)`.
    private static func arrival(_ text: ArraySlice<UInt8>, _ words: String) -> IRCLine? {
        if let (name, rest) = text.after("YOU (")?.parted(by: ") "), rest.starts(with: "have joined ") {
            return IRCLine.nick(name).map { IRCLine(.join, $0) }
        }
        guard let (first, rest) = text.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        let event = rest.first == UInt8(ascii: "(") ? rest.parted(by: ") ")?.right : rest
        return event?.starts(with: words) ?? false ? IRCLine(.join, name) : nil
    }

    /// Reads `alice has left #example (why)`, `alice left (~alice@host): why`.
    private static func departure(_ text: ArraySlice<UInt8>, _ words: String) -> IRCLine? {
        guard let (first, rest) = text.parted(by: " "), let name = IRCLine.nick(first), let place = rest.after(words)
        else { return nil }
        if place.first == UInt8(ascii: "("), let end = place.firstIndex(of: UInt8(ascii: ")")) {
            let why = place[(end + 1)...]
            return IRCLine(.leave, name, LogText((why.after(":") ?? why).trimmed))
        }
        let why = place.parted(by: " ")?.right.trimmed ?? []
        return IRCLine(.leave, name, LogText(why.first == UInt8(ascii: "(") ? why.unwrapped("(", ")") : why))
    }

    /// Reads `alice is now known as bob`, `Mode #example +o bob by alice`, ``alice has changed the topic to ``words''``
    /// and `bob was booted from #example by alice (why)`.
    private static func changed(_ text: ArraySlice<UInt8>) -> IRCLine? {
        if let rest = text.after("Mode #"), let by = rest.lastRange(of: " by "), let (_, mode) = rest.parted(by: " ") {
            guard let name = IRCLine.nick(rest[by.upperBound...]), mode.startIndex < by.lowerBound else { return nil }
            return IRCLine(.mode, name, LogText(mode[..<by.lowerBound].trimmed))
        }
        guard let (first, rest) = text.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        if let new = rest.after("is now known as ") { return IRCLine.nick(new).map { IRCLine(.rename, name, $0) } }
        if let words = rest.after("has changed the topic to ") {
            return IRCLine(.topic, name, LogText(words.unwrapped("``", "''").unwrapped("“", "”")))
        }
        guard let (_, by) = rest.after("was booted from ")?.parted(by: " by ") else { return nil }
        let (who, why) = by.parted(by: " ") ?? (by, [])
        return IRCLine.nick(who).map { IRCLine.kick(name, $0, why.trimmed.unwrapped("(", ")")) }
    }

    /// Returns true for a line after a star that IRCCloud may have written as an event. People can write the same as
    /// an action.
    static func mayBeEventOfCloud(_ line: ArraySlice<UInt8>) -> Bool {
        guard let (first, rest) = line.after("* ")?.parted(by: " ") else { return false }
        return rest.starts(with: "was kicked by ") || rest.starts(with: "set the topic to")
            || rest.starts(with: "set +")
            || rest.starts(with: "set -") || first.elementsEqual("Channel".utf8) || first.elementsEqual("Socket".utf8)
    }

    /// Returns true for a line that only IRCCloud writes.
    static func isOfCloud(_ line: ArraySlice<UInt8>) -> Bool {
        ["→ ", "← ", "⇐ "].contains { line.starts(with: $0) }
    }
}
