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
    /// The day of the page, for a page of a day; nil for any other page.
    package var day: Day?

    /// A day, and the nearest days with messages that the query shows.
    package struct Day: Sendable, Hashable {
        package var day: CivilDay
        /// The latest earlier day with messages; nil if there is none.
        package var previous: CivilDay?
        /// The earliest later day with messages; nil if there is none.
        package var next: CivilDay?

        package init(_ day: CivilDay, previous: CivilDay?, next: CivilDay?) {
            (self.day, self.previous, self.next) = (day, previous, next)
        }
    }

    package init(
        messages: [Message], older: MessageID?, newer: MessageID?, gaps: [Gap], skipped: [SkippedAccount] = [],
        day: Day? = nil
    ) {
        (self.messages, self.older, self.newer, self.gaps, self.skipped) = (messages, older, newer, gaps, skipped)
        self.day = day
    }
}
