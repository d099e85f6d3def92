import Sessions
import StreamChatWire

/// The sent texts that haven't come back. A server sends everyone's messages to everyone, the sender included.
struct Echoes: Sendable {
    struct Waiting: Sendable {
        let text: String
        /// The bytes that come back, `name::text`, alone or with others in one read.
        fileprivate let bytes: [UInt8]
        /// Set when the text has come back.
        let hasReturned = Signal()
    }

    /// The limit of remembered texts, for servers that send nothing back.
    private static let limit = 64

    private let name: String
    private(set) var waiting: [Waiting] = []

    init(name: String) {
        self.name = name
    }

    mutating func sent(_ text: String) -> Waiting {
        let echo = Waiting(text: text, bytes: Array("\(name)::\(text)".utf8))
        waiting.append(echo)
        if waiting.count > Self.limit { waiting.removeFirst() }
        return echo
    }

    /// Marks the texts in a read as come back; there may be several.
    mutating func received(_ parsed: ParsedUnit) {
        guard case .message(let sender, _) = parsed.content else { return }
        guard sender == name || parsed.flags.contains(.maybeCoalesced) else { return }
        var rest = parsed.unit.bytes[...]
        while let index = waiting.firstIndex(where: { Self.place(of: $0.bytes, in: rest) != nil }) {
            rest = rest[(Self.place(of: waiting[index].bytes, in: rest) ?? rest.endIndex)...]
            waiting.remove(at: index).hasReturned.set()
        }
    }

    /// Returns the end of the echo.
    private static func place(of echo: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= echo.count else { return nil }
        for start in bytes.startIndex...(bytes.endIndex - echo.count) where bytes[start...].starts(with: echo) {
            return start + echo.count
        }
        return nil
    }
}
