import ChatModel
import GRDB

/// Makes a page of one account or of several: the same run of time from each, in the order (id, account name).
///
/// Between equal ids no page is cut, so that an id alone is the cursor: a page may exceed its limit by the number of
/// accounts less one.
struct PageMerge {
    /// By account name.
    let readers: [AccountReader]
    let query: MessageQuery
    /// What the messages have to match; nil for all of them.
    var search: SearchScope?

    func page() async throws -> Page {
        if readers.count == 1 { return try await page(of: readers[0]) }
        var parts: [PagePart] = []
        for reader in readers {
            parts.append(
                try reader.read { db in try PagePart.read(query, try pages(of: reader.account, db), db) })
        }
        let frame = PageFrame(query, parts)
        var gaps: [Gap] = []
        for reader in readers {
            gaps += try await reader.gaps(room: query.scope.roomID, from: frame.lower, to: frame.upper)
        }
        return page(frame, gaps)
    }

    /// All in one read transaction.
    private func page(of reader: AccountReader) async throws -> Page {
        let (query, gaps) = (query, reader.gapReader)
        return try reader.read { db in
            let frame = PageFrame(query, [try PagePart.read(query, try pages(of: reader.account, db), db)])
            return page(
                frame, try gaps.gaps(room: query.scope.roomID, from: frame.lower, to: frame.upper, db))
        }
    }

    private func page(_ frame: PageFrame, _ gaps: [Gap]) -> Page {
        let gaps = search.map { search in gaps.filter(search.looksInto) } ?? gaps
        return Page(messages: frame.messages, older: frame.older, newer: frame.newer, gaps: gaps.inOrder())
    }

    private func pages(of account: AccountIdentity, _ db: Database) throws -> PageReader {
        PageReader(account: account, query: query, hits: try search.map { try $0.hits(scope: query.scope, db) })
    }
}
