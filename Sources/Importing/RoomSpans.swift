import ChatModel

/// From when to when a source has messages of each room.
struct RoomSpans {
    private struct Room: Hashable {
        var name: String
        var key: String?
    }

    private var spans: [Room: ImportedSpan] = [:]
    private var bytes = 0

    /// Bytes at once, enough for 10,000 rooms; of more, those so far are told of early, which changes nothing of what is stored.
    private static let capacity = 3_000_000
    /// Bytes that a room takes besides its names.
    private static let roomBytes = 200

    /// - Returns: the spans so far where there are too many to keep.
    mutating func note(_ message: ImportedMessage) -> [ImportedSpan] {
        // A full export tells of its spans itself.
        guard message.exact == nil else { return [] }
        let room = Room(name: message.roomKey == nil ? message.room : "", key: message.roomKey)
        let from = message.place ?? message.time
        let to = from.advanced(byMicroseconds: message.resolution.microseconds - 1)
        guard let known = spans[room] else {
            let size = Self.roomBytes + message.room.utf8.count + (message.roomKey?.utf8.count ?? 0)
            let early = bytes + size > Self.capacity ? take() : []
            bytes += size
            spans[room] = ImportedSpan(room: message.room, roomKey: message.roomKey, from: from, to: to)
            return early
        }
        if from < known.from { spans[room]?.from = from }
        if to > known.to { spans[room]?.to = to }
        return []
    }

    /// What there is so far, in order of time.
    mutating func take() -> [ImportedSpan] {
        defer { (spans, bytes) = ([:], 0) }
        return spans.values.sorted { ($0.from, $0.room, $0.roomKey ?? "") < ($1.from, $1.room, $1.roomKey ?? "") }
    }
}
