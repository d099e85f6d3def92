/// The words with which tables distinguish one's own messages from those of others.
enum OwnWord {
    /// The sender of one's own messages. The option `--me` names them.
    static let sender = "you"

    /// Returns true for one's own message, false for another's; nil for a word that says neither.
    static func isOwn(_ word: String) -> Bool? { words[word.lowercased()] }

    /// Returns true for a word that has this meaning in a column of any name.
    static func isDirection(_ word: String) -> Bool {
        ["sent", "outgoing", "received", "incoming"].contains(word.lowercased())
    }

    private static let words: [String: Bool] = [
        "1": true, "true": true, "yes": true, "y": true, "sent": true, "outgoing": true, "out": true, "to": true,
        "me": true,
        "0": false, "false": false, "no": false, "n": false, "received": false, "incoming": false, "in": false,
        "from": false, "null": false,
    ]

    /// The names of such columns in lower case, without marks.
    static let columns: Set = [
        "issender", "isfromme", "fromme", "isme", "ismine", "isself", "issend", "issent", "isoutgoing", "outgoing",
        "sentbyme", "direction", "own",
    ]
}
