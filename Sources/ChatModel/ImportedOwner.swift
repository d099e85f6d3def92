/// The account's own person in a log, whom `import --me` names.
package struct ImportedOwner: Sendable, Hashable, Codable {
    package var name: String
    /// The name that the log has for the person, such as `나`; may be equal to ``name``.
    package var word: String
    /// The time of the person's first message in the log.
    package var at: Timestamp

    package init(name: String, word: String, at: Timestamp) {
        (self.name, self.word, self.at) = (name, word, at)
    }
}
