import IRCWire

/// Counts messages without ids since the beginning of live receiving. A page of history may have a message that comes live
/// only after it, and which is stored once.
struct IRCPagedCounts: Sendable {
    /// The limit of points that are kept in a session. Above it, a message that comes first in a page and later live is
    /// stored twice.
    private static let maximum = 10_000

    /// For each message, the highest number in one page, and the number that came live.
    private var counts: [HistoryPoint: (paged: Int, live: Int)] = [:]

    /// Notes the points of a page from the time in which the room is received live.
    mutating func countPaged(_ points: [HistoryPoint], in key: String) {
        var paged: [HistoryPoint: Int] = [:]
        for point in points where point.msgid == nil { paged[point.placed(in: key), default: 0] += 1 }
        for (point, count) in paged where counts.count < Self.maximum || counts[point] != nil {
            counts[point, default: (0, 0)].paged = max(counts[point]?.paged ?? 0, count)
        }
    }

    /// - Returns: True if a page had the message before it came live.
    mutating func countLive(_ point: HistoryPoint, in key: String) -> Bool {
        let point = point.placed(in: key)
        guard counts.count < Self.maximum || counts[point] != nil else { return false }
        counts[point, default: (0, 0)].live += 1
        return counts[point].map { $0.live <= $0.paged } ?? false
    }
}

extension HistoryPoint {
    /// Returns the same point, distinct from the points of all other rooms.
    fileprivate func placed(in key: String) -> HistoryPoint {
        HistoryPoint(
            msgid: nil, milliseconds: milliseconds, sender: Array(key.utf8) + [0] + sender, text: text)
    }
}
