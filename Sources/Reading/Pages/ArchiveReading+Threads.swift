import Accounts
package import ChatModel

/// Reads conversations.
extension ArchiveReading {
    /// Returns a page of the conversation that a message belongs to, from one account or from every account that has
    /// the message.
    package func thread(_ query: ThreadQuery) throws -> ThreadLookup {
        let (search, skipped) = try collect(
            of: query.account.map { [$0] }, into: MessageSearch<MessageThread>()
        ) { search, reader in
            let threads = ThreadReader(account: reader.account, gaps: reader.gapReader, bytes: pageBytes)
            try search.look(for: query.message, in: reader) { try threads.thread(query, $0) }
        }
        switch search.result {
        case .found(var thread):
            thread.page.skipped = skipped
            return .found(thread)
        case let other: return other
        }
    }

    /// Returns another page of a conversation, without its ids being found again.
    package func page(
        of outline: ThreadOutline, from anchor: ThreadQuery.Anchor, limit: Int = ThreadQuery.defaultLimit,
        names: MessageQuery.Names = .then
    ) throws -> Page {
        let query = try ThreadQuery(
            message: outline.ids.first ?? MessageID(microseconds: 0), anchor: anchor, limit: limit, names: names)
        let pages: [Page] = try collect(of: [outline.account], into: []) { pages, reader in
            let threads = ThreadReader(account: reader.account, gaps: reader.gapReader, bytes: pageBytes)
            pages.append(
                try reader.read { db in
                    try threads.page(of: outline, from: query.anchor, limit: query.limit, names: query.names, db)
                })
        }.result
        return pages.first ?? Page(messages: [], older: nil, newer: nil, gaps: [])
    }
}
