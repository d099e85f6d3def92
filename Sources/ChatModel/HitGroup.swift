/// Hits of a search that stand near each other, with what was said around them in their room.
package struct HitGroup: Sendable, Hashable {
    /// Of one room, in time order. Between the first and the last only joins, leaves, renames and modes are left out.
    package var messages: [Message]
    /// Which of the messages are hits.
    package var hits: Set<MessageID>
    /// What is known to be missing, from the message before the group to the one after it, in order of time.
    package var gaps: [Gap]

    package init(messages: [Message], hits: Set<MessageID>, gaps: [Gap]) {
        self.messages = messages
        self.hits = hits
        self.gaps = gaps
    }
}
