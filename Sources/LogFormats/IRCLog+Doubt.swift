extension IRCLog {
    /// Returns a description of the first line in the file's beginning that looks like mIRC; nil if there is none.
    ///
    /// mIRC's logs look like energymech's, except that events begin with a single star, which energymech uses for
    /// actions: `[06:23] * Now talking in #example`, `[06:23] * alice (~alice@host) has joined #example`.
    static func doubt(about source: LogSource) -> String? {
        for (index, var line) in lines(of: source.beginning).enumerated() {
            _ = LineStamp(taking: &line, brackets: .optional)
            if isMIRC(line) { return "line \(index + 1) looks like mIRC" }
        }
        return nil
    }

    private static let mIRCBeginnings = [
        "Session Start: ", "Session Ident: ", "Session Time: ", "Session Close: ", "* Now talking in #",
        "* Now talking on #",
        "* Topic is '", "* Set by ", "* Joins: ", "* Parts: ", "* Quits: ", "* Attempting to rejoin channel #",
        "* Rejoined channel #",
    ]

    private static func isMIRC(_ line: ArraySlice<UInt8>) -> Bool {
        if mIRCBeginnings.contains(where: { line.starts(with: $0) }) { return true }
        guard line.starts(with: "* "), let (_, rest) = line.dropFirst(2).parted(by: " ") else { return false }
        // `* alice (~alice@host) has joined #example`, `… has left #example`, `… Quit (bye)`
        if rest.first == UInt8(ascii: "("), let (mask, event) = rest.parted(by: ") "), mask.contains(UInt8(ascii: "@"))
        {
            return ["has joined #", "has left #", "Quit ("].contains { event.starts(with: $0) }
        }
        return rest.starts(with: "sets mode: +") || rest.starts(with: "sets mode: -")
    }
}
