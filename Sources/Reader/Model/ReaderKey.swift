/// A key of the terminal.
package enum ReaderKey: Sendable, Hashable {
    /// A character; never a control character.
    case character(Unicode.Scalar)
    /// A character with Alt, which terminals send as Escape and the character.
    case alt(Unicode.Scalar)
    /// A letter with Ctrl, in lower case.
    case control(Unicode.Scalar)
    case escape, enter, tab, backspace, delete
    case up, down, left, right, pageUp, pageDown, home, end
    case wheelUp, wheelDown
}
