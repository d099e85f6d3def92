/// A column of the table of a ``Listing``.
package struct Column<Element: Sendable>: Sendable {
    package var heading: String
    package var alignment = DisplayWidth.Alignment.left
    /// False to leave out the column when all its cells are empty.
    var isShownEmpty = true
    /// True to leave out the column on a terminal that is too narrow for a row.
    var isSpared = false
    /// True to leave out the column before the spared ones. Its texts may be long.
    var isSparedFirst = false
    /// True to write the cell below its row, after its heading, on a terminal that is too narrow for a row.
    var isMoved = false
    /// True for a column that is shown only on a wide terminal, and cut to the rest of its line. One at most.
    var isRest = false
    /// Returns the text of a cell. The listing sanitises it.
    package var text: @Sendable (Element) -> String

    package init(
        heading: String, alignment: DisplayWidth.Alignment = DisplayWidth.Alignment.left, isShownEmpty: Bool = true,
        isSpared: Bool = false, isSparedFirst: Bool = false, isMoved: Bool = false, isRest: Bool = false,
        text: @escaping @Sendable (Element) -> String
    ) {
        (self.heading, self.alignment, self.isShownEmpty) = (heading, alignment, isShownEmpty)
        (self.isSpared, self.isSparedFirst, self.isMoved) = (isSpared, isSparedFirst, isMoved)
        (self.isRest, self.text) = (isRest, text)
    }
}
