import ChatModel

/// Names the account's own person in the messages of a log that calls them `나` or `you`.
struct OwnerNaming {
    private let me: String?
    private let words: [String]
    /// True after the first message of the person who has the name.
    private(set) var hasOwner = false
    private var found: ImportedOwner?
    /// The first such sender, when no name is known.
    private(set) var unnamed: String?

    /// - Parameters:
    ///   - me: The name of the account's own person; nil if it is unknown.
    ///   - words: The senders that stand for that person.
    init(me: String?, words: [String]) {
        (self.me, self.words) = (me, words)
    }

    /// Gives the name to the sender of a message who stands for the account's own person. A sender with a key is
    /// identified by the key.
    mutating func name(_ message: inout ImportedMessage) {
        guard let sender = message.sender, message.senderKey == nil, message.exact == nil else { return }
        let isWord = words.contains { $0.utf8.elementsEqual(sender.utf8) }
        guard let me else {
            if isWord, unnamed == nil { unnamed = sender }
            return
        }
        guard isWord || sender == me else { return }
        message.sender = me
        if !hasOwner { found = ImportedOwner(name: me, word: sender, at: message.time) }
        hasOwner = true
    }

    /// Returns the owner once, at their first message.
    mutating func take() -> ImportedOwner? {
        defer { found = nil }
        return found
    }
}
