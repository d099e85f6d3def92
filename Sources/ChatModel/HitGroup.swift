/// Hits of a search that are close to each other, with the messages around them in their room.
package struct HitGroup: Sendable, Hashable {
    /// Messages of one room, in order of time. Between the first and the last, only joins, leaves, renames and modes
    /// are left out.
    package var messages: [Message]
    /// The ids of the messages that are hits.
    package var hits: Set<MessageID>
    /// The gaps from the message before the group to the one after it, in order of time.
    package var gaps: [Gap]

    package init(messages: [Message], hits: Set<MessageID>, gaps: [Gap]) {
        (self.messages, self.hits, self.gaps) = (messages, hits, gaps)
    }
}
