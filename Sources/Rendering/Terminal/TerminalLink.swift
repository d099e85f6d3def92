/// Links that a terminal opens: "Hyperlinks in Terminal Emulators" (OSC 8).
enum TerminalLink {
    /// Returns a text on one line as a part of a link; unchanged for a text between links.
    ///
    /// The id joins the lines of a link that is broken. Terminals without links show the text. An address longer than
    /// ``limit`` stays text.
    static func text(_ text: String, _ piece: BodyLink.Piece) -> String {
        guard case .link(let link) = piece, !text.isEmpty, link.utf8.count <= limit else { return text }
        let address = address(link)
        guard address.utf8.count <= limit else { return text }
        return "\u{1B}]8;id=1;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }

    /// The limit of an address in bytes. Each line of a broken link repeats the whole address: 2,000 Hangul letters on 80
    /// columns were 160 times their size *(measured)*.
    private static let limit = 512

    /// Returns the address in ASCII, which the sequence requires.
    private static func address(_ link: String) -> String {
        link.unicodeScalars.reduce(into: "") { address, scalar in
            address += scalar.isASCII ? String(scalar) : HTMLText.address(String(scalar))
        }
    }
}
