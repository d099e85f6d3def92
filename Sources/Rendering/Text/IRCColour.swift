import SearchText

/// One of IRC's sixteen colours. Every other colour is shown as the nearest of them, because sixteen can be made
/// readable on any background.
package struct IRCColour: Sendable, Hashable {
    /// The number, 0 to 15.
    package let number: Int

    /// Nil for the reader's default colour.
    init?(_ colour: FormattingCode.Colour) {
        switch colour {
        case .number(let given) where Self.sixteen.indices.contains(given): number = given
        case .number(let given):
            guard let value = Self.extended.dropFirst(given - 16).first else { return nil }
            number = Self.nearest(to: value)
        case .hexadecimal(let value): number = Self.nearest(to: value)
        }
    }

    /// All sixteen, in order of their numbers.
    package static var all: [IRCColour] { sixteen.indices.compactMap { IRCColour(.number($0)) } }

    private static func nearest(to value: Int) -> Int {
        sixteen.indices.min { distance(sixteen[$0], value) < distance(sixteen[$1], value) } ?? 0
    }

    /// The colour as 0xRRGGBB.
    package var value: Int { Self.sixteen[number] }

    /// True if black text is easier to read on it than white text: its luminance is at least 0.18 (WCAG 2.2).
    var takesBlackText: Bool { ![1, 2, 5, 6, 12].contains(number) }

    private static func distance(_ a: Int, _ b: Int) -> Int {
        [16, 8, 0].reduce(0) { sum, shift in
            let difference = (a >> shift & 0xFF) - (b >> shift & 0xFF)
            return sum + difference * difference
        }
    }

    /// White, black, blue, green, red, brown, purple, orange, yellow, light green, cyan, light cyan, light blue, pink,
    /// grey, light grey.
    private static let sixteen = [
        0xFFFFFF, 0x000000, 0x00007F, 0x009300, 0xFF0000, 0x7F0000, 0x9C009C, 0xFC7F00, 0xFFFF00, 0x00FC00, 0x009393,
        0x00FFFF, 0x0000FC, 0xFF00FF, 0x7F7F7F, 0xD2D2D2,
    ]

    /// 16 to 98 (modern.ircdocs.horse/formatting): twelve hues in seven strengths, and eleven greys.
    private static let extended = [
        0x470000, 0x472100, 0x474700, 0x324700, 0x004700, 0x00472C, 0x004747, 0x002747, 0x000047, 0x2E0047, 0x470047,
        0x47002A, 0x740000, 0x743A00, 0x747400, 0x517400, 0x007400, 0x007449, 0x007474, 0x004074, 0x000074, 0x4B0074,
        0x740074, 0x740045, 0xB50000, 0xB56300, 0xB5B500, 0x7DB500, 0x00B500, 0x00B571, 0x00B5B5, 0x0063B5, 0x0000B5,
        0x7500B5, 0xB500B5, 0xB5006B, 0xFF0000, 0xFF8C00, 0xFFFF00, 0xB2FF00, 0x00FF00, 0x00FFA0, 0x00FFFF, 0x008CFF,
        0x0000FF, 0xA500FF, 0xFF00FF, 0xFF0098, 0xFF5959, 0xFFB459, 0xFFFF71, 0xCFFF60, 0x6FFF6F, 0x65FFC9, 0x6DFFFF,
        0x59B4FF, 0x5959FF, 0xC459FF, 0xFF66FF, 0xFF59BC, 0xFF9C9C, 0xFFD39C, 0xFFFF9C, 0xE2FF9C, 0x9CFF9C, 0x9CFFDB,
        0x9CFFFF, 0x9CD3FF, 0x9C9CFF, 0xDC9CFF, 0xFF9CFF, 0xFF94D3, 0x000000, 0x131313, 0x282828, 0x363636, 0x4D4D4D,
        0x656565, 0x818181, 0x9F9F9F, 0xBCBCBC, 0xE2E2E2, 0xFFFFFF,
    ]
}
