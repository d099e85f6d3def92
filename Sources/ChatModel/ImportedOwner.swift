/// The account's own person in a log, before their first message there.
package struct ImportedOwner: Sendable, Hashable, Codable {
    /// The person's names that were given with the import, which replace those of an earlier one; empty to leave those.
    package var names: [String]
    /// The word by which the log calls the person, such as `나`; nil if it has one of their names.
    package var word: String?
    /// The time of the person's first message in the log.
    package var at: Timestamp

    package init(names: [String] = [], word: String? = nil, at: Timestamp) {
        (self.names, self.word, self.at) = (names, word, at)
    }
}
