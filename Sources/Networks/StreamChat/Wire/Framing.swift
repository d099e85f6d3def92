/// The end of the units that a server sends.
package enum Framing: String, Sendable, Hashable, CaseIterable {
    /// No mark: one read is one unit, as far as reads and their times show.
    case chunk
    /// A line feed after each unit, with or without a carriage return before it.
    case lf
    /// A NUL after each unit.
    case nul
    /// `::END` after each unit, as clients write it.
    case end
}
