package import ChatModel

extension Timestamp {
    /// Milliseconds since 1970 UTC, rounded towards zero.
    package var milliseconds: Int64 { microseconds / 1000 }

    /// A number beyond the range gives the first or the last instant.
    package init(milliseconds: Int64) {
        let (microseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
        self.init(microseconds: overflow ? (milliseconds < 0 ? .min : .max) : microseconds)
    }

    /// The last microsecond with the same stamp: of the second if the stamp has no fraction, of the millisecond if it
    /// has milliseconds, and the stamp itself if it is finer.
    package var endOfUnit: Timestamp {
        if microseconds % 1_000_000 == 0 { return advanced(byMicroseconds: 999_999) }
        return microseconds % 1000 == 0 ? advanced(byMicroseconds: 999) : self
    }

    /// The stamp whose ``endOfUnit`` this is.
    package var beginningOfUnit: Timestamp {
        let next = microseconds &+ 1
        if next % 1_000_000 == 0 { return advanced(byMicroseconds: -999_999) }
        return next % 1000 == 0 ? advanced(byMicroseconds: -999) : self
    }
}
