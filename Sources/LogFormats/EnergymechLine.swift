import ChatModel

/// What a line says after its time.
struct EnergymechLine {
    let kind: MessageKind
    let sender: LogText?
    let body: LogText?

    /// Nil for what is no such line.
    init?(_ line: ArraySlice<UInt8>) {
        guard let said = Self.said(line) ?? Self.event(line) else { return nil }
        self = said
    }

    private init(_ kind: MessageKind, _ sender: LogText?, _ body: LogText? = nil) {
        self.kind = kind
        self.sender = sender
        self.body = body.flatMap { $0.string.isEmpty && kind != .message && kind != .action ? nil : $0 }
    }

    /// `<alice> hi`, `* alice waves`, `-alice:#example- hi`; spaces before them are passed over.
    private static func said(_ line: ArraySlice<UInt8>) -> EnergymechLine? {
        let line = line.drop { $0 == space }
        switch line.first {
        case UInt8(ascii: "<"):
            guard let end = line.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            return named(.message, line[(line.startIndex + 1)..<end], line[(end + 1)...])
        case UInt8(ascii: "*") where line.starts(with: "* ".utf8):
            let words = line.dropFirst(2).drop { $0 == space }
            let end = words.firstIndex(of: space) ?? words.endIndex
            return named(.action, words[..<end], words[end...])
        case UInt8(ascii: "-"):
            guard let end = line.dropFirst().firstRange(of: Array("- ".utf8)) else { return nil }
            let from = line[(line.startIndex + 1)..<end.lowerBound]
            return named(.notice, from.prefix { $0 != UInt8(ascii: ":") }, line[(end.upperBound - 1)...])
        default:
            return nil
        }
    }

    /// Nil without a name. The space between it and the text is of neither.
    private static func named(
        _ kind: MessageKind, _ name: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>
    ) -> EnergymechLine? {
        guard let name = nick(name) else { return nil }
        return EnergymechLine(kind, name, LogText(text.first == space ? text.dropFirst() : text))
    }

    private static let space = UInt8(ascii: " ")

    /// Without spaces: no nick on IRC has any, and some who pass logs on put one behind each `]`. Nil for several words.
    private static func nick(_ bytes: ArraySlice<UInt8>) -> LogText? {
        var name: [UInt8] = []
        for byte in bytes.trimmed {
            if byte != space { name.append(byte) } else if name.last != UInt8(ascii: "]") { return nil }
        }
        return name.isEmpty ? nil : LogText(name[...])
    }

    /// `=== alice [~alice@host] has joined #example`, `*** Joins: alice (~alice@host)`, and so on. What is none of those
    /// is something that somebody does where a nick is first, else the server's word.
    private static func event(_ line: ArraySlice<UInt8>) -> EnergymechLine? {
        let isTold = line.starts(with: "=== ".utf8)
        guard isTold || line.starts(with: "*** ".utf8) else { return nil }
        let line = line.dropFirst(4)
        guard !line.trimmed.isEmpty else { return nil }
        if let event = coming(line) ?? titled(line) ?? renamed(line) ?? kicked(line) ?? changed(line) { return event }
        let words = line.split(separator: space, maxSplits: 1)
        if isTold, words.count == 2, let name = words[0].last, name != UInt8(ascii: ":") {
            return named(.action, words[0], words[1])
        }
        return EnergymechLine(.system, nil, LogText(line))
    }

    /// `alice [~alice@host] has joined #example`, `… has left #example [why]`, `… has quit [why]`.
    private static func coming(_ line: ArraySlice<UInt8>) -> EnergymechLine? {
        for (words, kind) in [(" has joined ", MessageKind.join), (" has left ", .leave), (" has quit", .leave)] {
            guard let range = line.range(of: words) else { continue }
            let who = line[..<range.lowerBound].trimmed
            guard who.last == UInt8(ascii: "]"), let host = who.lastRange(of: " [") else { continue }
            guard let name = nick(who[..<host.lowerBound]) else { continue }
            let why = line[range.upperBound...].range(of: "[").map { line[$0.lowerBound...].bare }
            return EnergymechLine(kind, name, kind == .join ? nil : why.map(LogText.init))
        }
        return nil
    }

    /// `Joins: alice (~alice@host)`, `Parts: alice (~alice@host) (why)`, `Quits: …`.
    private static func titled(_ line: ArraySlice<UInt8>) -> EnergymechLine? {
        for (title, kind) in [("Joins: ", MessageKind.join), ("Parts: ", .leave), ("Quits: ", .leave)] {
            guard line.starts(with: title.utf8) else { continue }
            let rest = line.dropFirst(title.utf8.count)
            guard let name = nick(rest.prefix { $0 != space }) else { return nil }
            let why = rest.range(of: ") (").map { rest[($0.upperBound - 1)...].bare }
            return EnergymechLine(kind, name, kind == .join ? nil : why.map(LogText.init))
        }
        return nil
    }

    private static func renamed(_ line: ArraySlice<UInt8>) -> EnergymechLine? {
        guard let (left, right) = line.parted(by: " is now known as "), let old = nick(left), let new = nick(right)
        else { return nil }
        return EnergymechLine(.rename, old, new)
    }

    /// `alice was kicked off #example by bob (why)`, `alice was kicked by bob (why)`: bob's doing, told as `alice: why`.
    private static func kicked(_ line: ArraySlice<UInt8>) -> EnergymechLine? {
        guard let (left, right) = line.parted(by: " was kicked "), let victim = nick(left) else { return nil }
        guard let by = right.starts(with: "by ".utf8) ? right.dropFirst(3) : right.parted(by: " by ")?.right else {
            return nil
        }
        let end = by.firstIndex(of: space) ?? by.endIndex
        guard let name = nick(by[..<end]) else { return nil }
        let why = by[end...].trimmed.bare
        return EnergymechLine(.kick, name, LogText(Array(victim.string.utf8) + (why.isEmpty ? [] : ": ".utf8 + why)))
    }

    /// `mode/#example [+o alice] by bob`, `bob sets mode: +o alice`, `..[topic/#example:bob] : words`,
    /// `bob changes topic to 'words'`.
    private static func changed(_ line: ArraySlice<UInt8>) -> EnergymechLine? {
        if line.starts(with: "mode/".utf8), let (_, rest) = line.parted(by: " ["),
            let (mode, by) = rest.parted(by: "] "), let (_, name) = by.parted(by: "by ")
        {
            return nick(name).map { EnergymechLine(.mode, $0, LogText(mode)) }
        }
        if line.starts(with: "..[topic/".utf8), let (place, topic) = line.parted(by: "] :"),
            let colon = place.lastIndex(of: UInt8(ascii: ":"))
        {
            return nick(place[(colon + 1)...]).map { EnergymechLine(.topic, $0, LogText(topic.trimmed)) }
        }
        if let (name, mode) = line.parted(by: " sets mode: "), let name = nick(name) {
            return EnergymechLine(.mode, name, LogText(mode))
        }
        if let (name, topic) = line.parted(by: " changes topic to "), let name = nick(name) {
            return EnergymechLine(.topic, name, LogText(topic.bare))
        }
        return nil
    }
}

extension LogText {
    fileprivate init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }
}
