/// The facts about a source that its bytes lack and the user gives.
package struct SourceChoices: Sendable, Hashable {
    /// The columns of a table; nil for other sources.
    package var columns: ColumnMapping?
    /// The form of a table's times; nil to recognise each time.
    package var timePattern: TimePattern?
    /// The network or workspace to read from a database that has several; nil if none was named.
    package var network: String?

    package init(columns: ColumnMapping? = nil, timePattern: TimePattern? = nil, network: String? = nil) {
        (self.columns, self.timePattern, self.network) = (columns, timePattern, network)
    }
}
