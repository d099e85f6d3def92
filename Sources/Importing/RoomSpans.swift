import ChatModel

/// From when to when a source has messages of each room.
struct RoomSpans {
    private struct Room: Hashable {
        var name: String
        var key: String?
    }

    private var spans: [Room: ImportedSpan] = [:]

    /// Rooms at once, at about 200 bytes each; of more, those so far are told of early, which changes nothing of what is stored.
    private static let capacity = 10_000

    /// - Returns: the spans so far where there are too many to keep.
    mutating func note(_ message: ImportedMessage) -> [ImportedSpan] {
        // A full export tells of its spans itself.
        guard message.exact == nil else { return [] }
        let room = Room(name: message.roomKey == nil ? message.room : "", key: message.roomKey)
        let from = message.place ?? message.time
        let to = from.advanced(byMicroseconds: message.resolution.microseconds - 1)
        guard let known = spans[room] else {
            let early = spans.count >= Self.capacity ? take() : []
            spans[room] = ImportedSpan(room: message.room, roomKey: message.roomKey, from: from, to: to)
            return early
        }
        if from < known.from { spans[room]?.from = from }
        if to > known.to { spans[room]?.to = to }
        return []
    }

    /// What there is so far, in order of time.
    mutating func take() -> [ImportedSpan] {
        defer { spans = [:] }
        return spans.values.sorted { ($0.from, $0.room, $0.roomKey ?? "") < ($1.from, $1.room, $1.roomKey ?? "") }
    }
}
