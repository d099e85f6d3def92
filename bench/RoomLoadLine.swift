import StreamChatWire

/// A line of the server, recognised by the texts that the benchmark sent.
struct RoomLoadLine: Sendable {
    enum Content: Sendable, Hashable {
        case message(name: String, text: String)
        case notice(String)
    }

    let content: Content
    /// The place without the delimiter.
    let place: Range<Int>

    /// Returns all lines. Each ends with a full stop or like a notice; NUL between them is skipped.
    static func all(in bytes: [UInt8]) -> [RoomLoadLine] {
        var lines: [RoomLoadLine] = []
        var start = 0
        for index in bytes.indices {
            if index == start, bytes[index] == 0 { start += 1 }
            guard isEnd(index, of: bytes), start <= index else { continue }
            lines.append(RoomLoadLine(bytes, start..<index + 1))
            start = index + 1
        }
        return lines
    }

    private init(_ bytes: [UInt8], _ place: Range<Int>) {
        self.place = place
        let line = String(decoding: bytes[place], as: UTF8.self)
        let parts = line.split(separator: "::", maxSplits: 1).map(String.init)
        content = parts.count == 2 ? .message(name: parts[0], text: parts[1]) : .notice(line)
    }

    private static func isEnd(_ index: Int, of bytes: [UInt8]) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "."): true
        case UInt8(ascii: "d"): bytes[...index].suffix(11).elementsEqual(" has joined".utf8)
        case UInt8(ascii: "t"): bytes[...index].suffix(9).elementsEqual(" has left".utf8)
        default: false
        }
    }
}
