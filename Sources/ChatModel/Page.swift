/// Messages in order of time, with the cursors of the next pages.
package struct Page: Sendable, Hashable {
    package var messages: [Message]
    /// The cursor to continue with `before`; nil if there is nothing older.
    package var older: MessageID?
    /// The cursor to continue with `after`; nil if there is nothing newer.
    package var newer: MessageID?
    /// The gaps in the time that the page covers, in the order of start, account and room.
    ///
    /// That time begins at the message before the page, and ends at the message after it or now. A gap between two
    /// pages is therefore on both.
    package var gaps: [Gap]
    /// The requested accounts that could not be read.
    package var skipped: [SkippedAccount]

    package init(
        messages: [Message], older: MessageID?, newer: MessageID?, gaps: [Gap], skipped: [SkippedAccount] = []
    ) {
        (self.messages, self.older, self.newer, self.gaps, self.skipped) = (messages, older, newer, gaps, skipped)
    }
}
