package import SearchText

/// The style of a part of a text, as set by IRC's codes.
///
/// No style hides a text: on a background the text is black or white, whichever is easier to read, and white and black
/// without a background become the reader's default colour.
package struct TextStyle: Sendable, Hashable {
    package var isBold = false
    package var isItalic = false
    package var isUnderlined = false
    package var isStruck = false
    var isMonospace = false
    package var isReversed = false
    /// The colour of the text; nil for the reader's default.
    var colour: IRCColour?
    /// The colour of the background; nil for the reader's default.
    package var ground: IRCColour?

    /// The style of a text without codes.
    package static let plain = TextStyle()

    /// Changes the style as a code demands.
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
    /// Returns the text with the style's control sequences, if colours are on.
    ///
    /// - Parameter text: A safe text on one line.
    package func paint(_ text: String, _ style: TextStyle) -> String {
        let codes = style.terminalCodes
        return codes.isEmpty ? text : paint(text, codes.joined(separator: ";"))
    }
}

extension TextStyle {
    /// The parameters of the control sequence (ECMA-48 §8.3.117); there is none for monospace.
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

    /// The terminal's own colours that are readable on black and on white; greys are faint.
    private static let colours = [
        [], [], ["34"], ["32"], ["91"], ["31"], ["35"], ["33"], ["33"], ["92"], ["36"], ["96"], ["94"], ["95"], ["2"],
        ["2"],
    ]

    /// The number of the text's colour among the terminal's sixteen; nil for the default colour, and for greys.
    package var terminalColour: Int? {
        colour.flatMap { Self.colours[$0.number].first }.flatMap { Int($0) }.flatMap { code in
            switch code {
            case 30...37: code - 30
            case 90...97: code - 82
            default: nil
            }
        }
    }

    /// The nearest of the terminal's 256 colours, which themes don't change.
    private static let grounds = [231, 16, 18, 28, 196, 88, 90, 208, 226, 46, 30, 51, 21, 201, 244, 252]
}
