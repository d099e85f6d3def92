package import ChatModel

/// A person in a log or an export.
package struct ImportedPerson {
    package var name: String
    /// Nil if the source has only names.
    var identity: UserIdentity?
    var isSelf = false
    /// True for the account's own person whom the source calls by a word, which is the name.
    var isOwnWord = false
    /// True if the person's names come in a separate record.
    var isExact = false

    package init(
        name: String, identity: UserIdentity? = nil, isSelf: Bool = false, isOwnWord: Bool = false,
        isExact: Bool = false
    ) {
        (self.name, self.identity, self.isSelf, self.isOwnWord) = (name, identity, isSelf, isOwnWord)
        self.isExact = isExact
    }
}

extension ImportedMessage {
    /// The sender; nil if the message has none.
    package var person: ImportedPerson? {
        guard let sender else { return exact?.sender.map { ImportedPerson(name: "", identity: $0, isExact: true) } }
        guard let exact else {
            return ImportedPerson(
                name: sender, identity: senderKey.map(UserIdentity.key), isOwnWord: own == .word && senderKey == nil)
        }
        return ImportedPerson(name: sender, identity: exact.sender, isSelf: exact.senderIsSelf, isExact: true)
    }
}

extension ImportedMessage.Reaction {
    var person: ImportedPerson {
        ImportedPerson(name: user, identity: userKey.map(UserIdentity.key))
    }
}

extension ExactMessage.Reaction {
    /// The person, with their first name, or their key if they have no name.
    var person: ImportedPerson {
        ImportedPerson(name: user.former?.name ?? user.key ?? "", identity: user, isExact: true)
    }
}
