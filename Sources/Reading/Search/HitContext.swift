import ChatModel
import Records
import Schema

/// Reads the messages around the hits of one account, in the room of each hit.
///
/// Hits of a room share a group if their surroundings touch.
struct HitContext {
    let account: AccountIdentity
    let names: MessageQuery.Names
    let hidden: HiddenMessages
    /// The number of messages before each hit.
    let before: Int
    /// The number of messages after each hit.
    let after: Int
    let gaps: GapReader
    /// The bytes of the messages on each side of a hit, after which there are fewer messages.
    let bytes: Int

    /// Returns the groups around the hits.
    ///
    /// - Parameter hits: Hits of this account, in any order.
    /// - Returns: The groups, room by room.
    func groups(around hits: [Message], _ db: ReadTransaction) throws -> [HitGroup] {
        try Dictionary(grouping: hits, by: \.roomID).flatMap { room, hits in
            try groups(room: room, hits: hits.sorted { $0.id < $1.id }, db)
        }
    }

    private func groups(room: Int64, hits: [Message], _ db: ReadTransaction) throws -> [HitGroup] {
        let pages = PageReader(account: account, room: room, hidden: hidden, names: names, bytes: bytes)
        var open: [OpenGroup] = []
        for hit in hits {
            let id = hit.id.microseconds
            if let last = open.last?.messages.last, hit.id <= last.id {
                open[open.count - 1].hits.insert(hit.id)
            } else {
                let lead = MessageRun(
                    try pages.backward(from: id, after: open.last?.end, count: before + 1, db)
                ).cutToLatest(PageSize(count: before, bytes: bytes, least: 0))
                if !open.isEmpty, lead.beyond == nil {
                    open[open.count - 1].messages += lead.messages + [hit]
                    open[open.count - 1].hits.insert(hit.id)
                } else {
                    let lower = lead.beyond ?? open.last?.end ?? .min
                    open.append(OpenGroup(messages: Array(lead.messages) + [hit], hits: [hit.id], lower: lower))
                }
            }
            let trail = MessageRun(try pages.forward(from: id, count: after + 1, db))
                .cutToEarliest(PageSize(count: after, bytes: bytes, least: 0))
            let end = open[open.count - 1].end
            open[open.count - 1].messages += trail.messages.filter { $0.id.microseconds > end }
            open[open.count - 1].upper = trail.beyond ?? .max
        }
        return try open.map { group in
            HitGroup(
                messages: group.messages, hits: group.hits,
                gaps: try gaps.gaps(rooms: [room], from: group.lower, to: group.upper, with: [.purged], db).inOrder())
        }
    }

    /// A group that a later hit may extend.
    private struct OpenGroup {
        var messages: [Message]
        var hits: Set<MessageID>
        /// The ids of the messages before the group and after it, or the ends of time.
        var lower: Int64
        var upper = Int64.max

        /// The id of the last message.
        var end: Int64 { messages[messages.count - 1].id.microseconds }
    }
}
