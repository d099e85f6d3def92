/// The progress of an account's search index.
package struct IndexProgress: Sendable, Hashable, Codable {
    /// The first indexed message; all later messages are indexed. Nil if all messages are indexed.
    package var from: MessageID?
    /// The number of messages that the last step added.
    package var added: Int

    package init(from: MessageID?, added: Int) {
        self.from = from
        self.added = added
    }
}
