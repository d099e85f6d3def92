import Rendering

/// The keys of the history and what they do, in the order in which `?` shows them.
package enum KeyHelp {
    package static let keys: [(key: String, text: String)] = [
        ("PgUp PgDn", "a page back, a page on; Space and b, too"),
        ("j k, arrows", "the next message, the one before"),
        ("Home End", "the beginning; the end, with new messages"),
        ("/", "search; Tab: room, account, everything"),
        ("n N", "the next older hit, the next newer one"),
        ("Esc", "end the search, back to where it began"),
        ("g", "go to a date: 2026-11-21, yesterday, 7d"),
        ("[ ]", "the day before, the day after"),
        ("c", "a month with its numbers of messages"),
        ("{ }", "the gap before, the next gap"),
        ("Ctrl-K", "choose a room by a part of its name"),
        ("Alt-1 … 9", "one of the first nine rooms"),
        ("a", "the next room with unread messages"),
        ("Enter", "all details of the message"),
        ("t", "the conversation of the message"),
        ("o", "open a link of the message"),
        ("y Y", "copy the text, the id"),
        ("m", "mark as read up to the message"),
        ("J", "hide or show joins and leaves"),
        ("u", "names of that time, or of today"),
        ("Ctrl-L Ctrl-Z", "draw again; suspend"),
        ("q", "quit, and print the command to return"),
    ]

    /// The keys as a text, one on each line.
    static var text: String {
        let names = keys.map { DisplayWidth.of($0.key) }.max() ?? 0
        return keys.map { DisplayWidth.pad($0.key, to: names) + "  " + $0.text }.joined(separator: "\n")
    }
}
