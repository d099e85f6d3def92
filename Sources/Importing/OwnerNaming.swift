import ChatModel

/// A name of the account's own person that is probably another person's, because both write in one room of one file.
package struct DoubtfulName: Sendable, Hashable {
    package var name: String
    /// The export's word for the phone's owner.
    package var word: String
    package var room: String
}

/// Finds the messages of the account's own person, whom a log may call `나` or `you`.
struct OwnerNaming {
    private let given: [String]
    private let names: [String]
    private var words: [String]
    private let folding: NameFolding
    /// True after the first message of the person under one of the names, or under a word if a name is known.
    private(set) var hasOwner = false
    private var found: ImportedOwner?
    /// The first such word, if no name is known.
    private(set) var unnamed: String?
    private var hasWord = false
    /// The first name of the person that somebody has in a room where a word writes, too: it is probably another person's.
    private(set) var doubtful: DoubtfulName?
    /// The last room in which the person wrote, with their name and their word there.
    private var last: (room: String, name: String?, word: String?) = ("", nil, nil)

    /// - Parameters:
    ///   - given: The person's names that were given with the import.
    ///   - known: Further names that are known of the person.
    ///   - words: The senders that stand for that person.
    init(given: [String], known: [String], words: [String], folding: NameFolding) {
        (self.given, self.words, self.folding) = (given, words, folding)
        names = (given + known).map(folding.fold)
    }

    /// Takes the words as names of others from now on.
    mutating func ignoreWords() { words = [] }

    /// Marks a message of the account's own person, unless its sender has a key, by which the archive finds them.
    mutating func mark(_ message: inout ImportedMessage) {
        guard let sender = message.sender, message.exact == nil else { return }
        let isWord = message.senderKey == nil && words.contains { $0.utf8.elementsEqual(sender.utf8) }
        guard isWord || isOwn(sender) || message.senderKey.map(isOwn) ?? false else { return }
        if message.senderKey == nil { message.own = isWord ? .word : .name }
        if isWord, names.isEmpty, unnamed == nil { unnamed = sender }
        if !hasOwner && !names.isEmpty || isWord && !hasWord {
            found = ImportedOwner(names: given, word: isWord ? sender : nil, at: message.time)
        }
        if isWord { hasWord = true }
        hasOwner = hasOwner || !names.isEmpty
        // LINE has its owner's name at messages, and the word in its own sentences.
        let isText = message.kind == .message && message.body != nil
        if doubtful == nil, isText, message.senderKey == nil { compare(sender, isWord: isWord, in: message.room) }
    }

    /// Finds a name that is beside a word: an export writes the word in place of its owner's name.
    private mutating func compare(_ sender: String, isWord: Bool, in room: String) {
        if last.room != room { last = (room, nil, nil) }
        if isWord { last.word = sender } else { last.name = sender }
        if let name = last.name, let word = last.word { doubtful = DoubtfulName(name: name, word: word, room: room) }
    }

    private func isOwn(_ sender: String) -> Bool {
        if names.isEmpty { return false }
        let folded = folding.fold(sender)
        return names.contains { $0.utf8.elementsEqual(folded.utf8) }
    }

    /// Returns the owner once, at their first message.
    mutating func take() -> ImportedOwner? {
        defer { found = nil }
        return found
    }
}
