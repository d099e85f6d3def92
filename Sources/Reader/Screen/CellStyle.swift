import Rendering

/// The look of a text on the screen. The terminal may lack parts of it.
package struct CellStyle: Sendable, Hashable {
    package var isBold = false
    package var isDim = false
    package var isItalic = false
    package var isUnderlined = false
    /// True for text and background exchanged.
    package var isReversed = false
    /// The number of the text's colour among the terminal's sixteen; nil for the default colour.
    package var colour: Int?

    package init() {}

    static let plain = CellStyle()
    static let bold = with { $0.isBold = true }
    static let dim = with { $0.isDim = true }
    static let reversed = with { $0.isReversed = true }
    /// The look of warnings and gaps.
    static let warning = with { $0.colour = 3 }
    /// The look of a match of a search. Bold and underlined, so that a terminal without colours shows it, too.
    static let match = with { style in
        (style.isBold, style.isUnderlined, style.colour) = (true, true, 3)
    }

    /// Returns the look of a name: its own colour, and bold for the reader's own.
    static func name(_ name: String, isOwn: Bool) -> CellStyle {
        with { style in
            (style.colour, style.isBold) = (Style.nameColour(name), isOwn)
        }
    }

    private static func with(_ change: (inout CellStyle) -> Void) -> CellStyle {
        var style = CellStyle()
        change(&style)
        return style
    }
}
