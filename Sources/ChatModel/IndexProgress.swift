/// How far an account's search index has come.
package struct IndexProgress: Sendable, Hashable, Codable {
    /// Messages from here on are found; nil when all are.
    package var from: MessageID?
    /// Messages that the last step brought in.
    package var added: Int

    package init(from: MessageID?, added: Int) {
        self.from = from
        self.added = added
    }
}
