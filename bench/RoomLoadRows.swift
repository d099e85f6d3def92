import ChatModel

/// The stored rows, compared with the lines from which they came.
struct RoomLoadRows: Sendable {
    /// The bytes of all rows as received, without delimiters.
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0
    /// The number of rows with several lines or parts of them.
    private(set) var glued = 0
    /// The number of rows that begin or end inside a line.
    private(set) var split = 0
    private(set) var flagged = 0
    /// The number of rows that can be recognised as glued by the protocol's rules, and are not flagged.
    private(set) var unflagged = 0
    private(set) var wronglyFlagged = 0
    /// The number of rows whose bytes are not those of their place, or that don't follow the row before.
    private(set) var holes = 0

    /// The names by which lines can be recognised, from the rows so far.
    private var known: Set<String> = [RoomLoadRun.nick]

    init(_ messages: [Message], sent: [UInt8]) {
        let lines = RoomLoadLine.all(in: sent)
        let starts = Set(lines.map(\.place.lowerBound))
        let ends = Set(lines.map(\.place.upperBound))
        var end = 0
        for message in messages {
            let row = Self.bytes(of: message)
            let offset = message.remoteID.flatMap { Int($0.drop { $0 != ":" }.dropFirst()) } ?? -1
            while end < min(offset, sent.count), sent[end] == 0 { end += 1 }
            let place = offset..<offset + row.count
            if offset != end || !sent[min(end, sent.count)...].starts(with: row) { holes += 1 }
            end = place.upperBound
            let lines = place.count { starts.contains($0) } + (starts.contains(place.lowerBound) ? 0 : 1)
            add(
                message, row, lines: lines,
                isWhole: starts.contains(place.lowerBound) && ends.contains(place.upperBound))
        }
        while end < sent.count, sent[end] == 0 { end += 1 }
        if end != sent.count { holes += 1 }
    }

    private mutating func add(_ message: Message, _ row: [UInt8], lines: Int, isWhole: Bool) {
        let isFlagged = message.flags.contains(.maybeCoalesced)
        let isGlued = lines > 1
        count += 1
        bytes += row
        if isGlued { glued += 1 }
        if !isWhole { split += 1 }
        if isFlagged { flagged += 1 }
        if isFlagged, !isGlued { wronglyFlagged += 1 }
        if !isFlagged, isTellable(message) { unflagged += 1 }
        if let name = message.sender?.name, message.kind == .message || !isFlagged { known.insert(name) }
    }

    static func bytes(of message: Message) -> [UInt8] {
        let name = message.sender?.name ?? ""
        return switch message.kind {
        case .join: Array("\(name) has joined".utf8)
        case .leave: Array("\(name) has left".utf8)
        case .message: Array("\(name)::\(message.body ?? "")".utf8)
        default: Array((message.body ?? "").utf8)
        }
    }

    /// Returns true if rule 6 of docs/networks/streamchat.md, "Framing", applies, implemented directly and without
    /// regard to speed: a known name before a later `::` or a notice's ending, or a notice inside a notice.
    private func isTellable(_ message: Message) -> Bool {
        let endings = [" has joined", " has left"]
        if message.kind == .join || message.kind == .leave {
            let name = message.sender?.name ?? ""
            return endings.contains { ending in
                name.ranges(of: ending).contains { $0.upperBound < name.endIndex }
            }
        }
        let text = message.body ?? ""
        return (endings + ["::"]).contains { ending in
            text.ranges(of: ending).contains { range in
                known.contains { text[..<range.lowerBound].hasSuffix($0) }
            }
        }
    }
}
