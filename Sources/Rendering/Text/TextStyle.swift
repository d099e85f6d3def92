package import SearchText

/// How a part of a text looks, as IRC's codes before it say.
///
/// No style hides a text: on a ground the text is black or white, whichever is read there, and white and black without a
/// ground are the reader's own colour.
package struct TextStyle: Sendable, Hashable {
    package var isBold = false
    package var isItalic = false
    var isUnderlined = false
    package var isStruck = false
    var isMonospace = false
    var isReversed = false
    /// Nil for the reader's own.
    var colour: IRCColour?
    package var ground: IRCColour?

    package static let plain = TextStyle()

    package mutating func apply(_ code: FormattingCode) {
        switch code {
        case .bold: isBold.toggle()
        case .italic: isItalic.toggle()
        case .underline: isUnderlined.toggle()
        case .strikethrough: isStruck.toggle()
        case .monospace: isMonospace.toggle()
        case .reverse: isReversed.toggle()
        case .reset: self = .plain
        case .colours(nil, _): (colour, ground) = (nil, nil)
        case .colours(let colour?, let ground):
            self.colour = IRCColour(colour)
            if let ground { self.ground = IRCColour(ground) }
        }
    }
}

extension Style {
    /// - Parameter text: Safe to show, on one line.
    package func paint(_ text: String, _ style: TextStyle) -> String {
        let codes = style.terminalCodes
        return codes.isEmpty ? text : paint(text, codes.joined(separator: ";"))
    }
}

extension TextStyle {
    /// What a terminal is sent (ECMA-48 §8.3.117); it has no code for a monospace text.
    fileprivate var terminalCodes: [String] {
        var codes = [
            isBold ? "1" : nil, isItalic ? "3" : nil, isUnderlined ? "4" : nil, isReversed ? "7" : nil,
            isStruck ? "9" : nil,
        ].compactMap(\.self)
        if let ground {
            codes.append("\(ground.takesBlackText ? "38;5;16" : "38;5;231");48;5;\(Self.grounds[ground.number])")
        } else if let colour {
            codes += Self.colours[colour.number]
        }
        return codes
    }

    /// The terminal's own colours that are read on black and on white; greys are faint.
    private static let colours = [
        [], [], ["34"], ["32"], ["91"], ["31"], ["35"], ["33"], ["33"], ["92"], ["36"], ["96"], ["94"], ["95"], ["2"],
        ["2"],
    ]

    /// The nearest of the terminal's 256 colours, which no theme changes.
    private static let grounds = [231, 16, 18, 28, 196, 88, 90, 208, 226, 46, 30, 51, 21, 201, 244, 252]
}
