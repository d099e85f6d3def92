/// A run of messages in time order, with what is needed to go on in both directions.
package struct Page: Sendable, Hashable {
    package var messages: [Message]
    /// Go on with `before` this; nil where there is nothing older.
    package var older: MessageID?
    /// Go on with `after` this; nil where there is nothing newer.
    package var newer: MessageID?
    /// What is known to be missing in the time that the page speaks for, in order of (from, account, room).
    ///
    /// That time reaches from the message before the page to the message after it, or to now where there is none: so a
    /// gap between two pages is named by both.
    package var gaps: [Gap]
    /// The accounts that were asked about and could not be read.
    package var leftOut: [LeftOut]

    package init(
        messages: [Message], older: MessageID?, newer: MessageID?, gaps: [Gap], leftOut: [LeftOut] = []
    ) {
        self.messages = messages
        self.older = older
        self.newer = newer
        self.gaps = gaps
        self.leftOut = leftOut
    }
}
