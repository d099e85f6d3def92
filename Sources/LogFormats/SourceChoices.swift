/// The facts about a source that its bytes lack and the user gives.
package struct SourceChoices: Sendable, Hashable {
    /// The columns of a table; nil for other sources.
    package var columns: ColumnMapping?
    /// The form of a table's times; nil to recognise each time.
    package var timePattern: TimePattern?
    /// The network or workspace to read from a database that has several; nil if none was named.
    package var network: String?
    /// The order of the numbers in the dates of an export; nil to recognise it.
    package var dateOrder: DateOrder?

    package init(
        columns: ColumnMapping? = nil, timePattern: TimePattern? = nil, network: String? = nil,
        dateOrder: DateOrder? = nil
    ) {
        (self.columns, self.timePattern, self.network) = (columns, timePattern, network)
        self.dateOrder = dateOrder
    }
}

/// The order of the three numbers in a date: `dmy` for 21/11/26.
package enum DateOrder: String, Sendable, Hashable, CaseIterable {
    case dmy, mdy, ymd
}
