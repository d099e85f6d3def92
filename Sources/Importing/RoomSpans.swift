import ChatModel

/// The first and last time of a source's messages in each room.
struct RoomSpans {
    private struct Room: Hashable {
        var name: String
        var key: String?
    }

    private var spans: [Room: ImportedSpan] = [:]
    /// The spans that had no more room in ``spans``.
    private var early: [ImportedSpan] = []
    private var bytes = 0

    /// The limit of memory in bytes, enough for 10,000 rooms. With more rooms, the spans are returned early, which does
    /// not change the result of the import.
    private static let capacity = 3_000_000
    /// The bytes of a room besides its names.
    private static let roomBytes = 200

    /// Widens the span of a message's room.
    mutating func note(_ message: ImportedMessage) {
        // A full export has its own records of spans.
        guard message.exact == nil else { return }
        let room = Room(name: message.roomKey == nil ? message.room : "", key: message.roomKey)
        let from = message.place ?? message.time
        let to = from.advanced(byMicroseconds: message.resolution.microseconds - 1)
        guard let known = spans[room] else {
            let size = Self.roomBytes + message.room.utf8.count + (message.roomKey?.utf8.count ?? 0)
            if bytes + size > Self.capacity { early += take() }
            bytes += size
            spans[room] = ImportedSpan(
                room: message.room, roomKey: message.roomKey, from: from, to: to,
                roomKind: message.roomKind == .channel ? nil : message.roomKind)
            return
        }
        if from < known.from { spans[room]?.from = from }
        if to > known.to { spans[room]?.to = to }
        if message.roomKind != .channel, known.roomKind == nil { spans[room]?.roomKind = message.roomKind }
    }

    /// Returns and forgets the spans that did not fit in memory; usually none.
    mutating func takeEarly() -> [ImportedSpan] {
        defer { early = [] }
        return early
    }

    /// Returns and forgets the other spans so far, in order of time.
    mutating func take() -> [ImportedSpan] {
        defer { (spans, bytes) = ([:], 0) }
        return spans.values.sorted { ($0.from, $0.room, $0.roomKey ?? "") < ($1.from, $1.room, $1.roomKey ?? "") }
    }
}
