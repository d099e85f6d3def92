import Bytes
import ChatModel

/// The form of messages in a log whose client has a theme: `alice | hi`, `alice: hi`, `[alice] hi` for `<alice> hi`.
struct IRCTheme: Sendable {
    /// The bytes between the name and the text.
    private let mark: [UInt8]

    private static let marks = ["|", "│", "┃", "»", "›", ":", "]", "}", ")", ">"].map { Array($0.utf8) }

    /// Returns nil if a message in the usual form is among the lines, or if no mark follows a name in most of them.
    ///
    /// - Parameter lines: The lines of the log's beginning, without their times.
    init?(_ lines: [ArraySlice<UInt8>]) {
        var counts: [[UInt8]: Int] = [:]
        var others = 0
        for line in lines {
            if Self.hasUsualName(line) { return nil }
            guard let mark = Self.parts(line)?.mark else {
                // Events and other lines of the client have marks.
                if IRCLine(line, isTimed: false) == nil { others += 1 }
                continue
            }
            counts[mark, default: 0] += 1
        }
        guard let most = counts.max(by: { $0.value < $1.value }), most.value >= Self.minimum,
            most.value > others + counts.values.reduce(0, +) - most.value
        else { return nil }
        mark = most.key
    }

    /// Returns true for a line such as `<@alice> hi`.
    static func hasUsualName(_ line: ArraySlice<UInt8>) -> Bool {
        line.drop { $0 == Byte.space }.first == UInt8(ascii: "<")
    }

    /// Fewer lines may look like a message by chance.
    private static let minimum = 3

    /// Reads a message; nil for another line.
    func message(_ line: ArraySlice<UInt8>) -> IRCLine? {
        guard let (name, mark, text) = Self.parts(line), mark == self.mark else { return nil }
        return IRCLine.nick(name).map { IRCLine(.message, $0, LogText(text)) }
    }

    private static func parts(
        _ line: ArraySlice<UInt8>
    ) -> (name: ArraySlice<UInt8>, mark: [UInt8], text: ArraySlice<UInt8>)? {
        let start = line.drop { " @+%&~[({".utf8.contains($0) }
        let name = start.prefix { isNick($0) }
        guard let first = name.first, !Byte.isDigit(first), first != Byte.dash, !name.isEmpty else { return nil }
        let rest = line[name.endIndex...].drop { $0 == Byte.space }
        guard let mark = marks.first(where: { rest.starts(with: $0) }) else { return nil }
        let text = rest.dropFirst(mark.count)
        guard text.isEmpty || text.first == Byte.space else { return nil }
        return (name, mark, text.dropFirst())
    }

    /// Returns true for the bytes of nicks (RFC 2812 §2.3.1), except brackets, which themes use.
    private static func isNick(_ byte: UInt8) -> Bool {
        Byte.isLetter(byte) || Byte.isDigit(byte) || "-_`^\\".utf8.contains(byte)
    }
}
