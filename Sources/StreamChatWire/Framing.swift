/// How to tell where one unit of what a server sends ends.
package enum Framing: String, Sendable, Hashable, CaseIterable {
    /// Nothing marks the end: one read is one unit, as far as reads and time can tell.
    case chunk
    /// A line feed after each unit; a carriage return before it belongs to it.
    case lf
    /// A NUL after each unit.
    case nul
    /// `::END` after each unit, as clients write it.
    case end
}
