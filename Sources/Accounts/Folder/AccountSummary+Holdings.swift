package import ChatModel
import Files
package import Schema

extension AccountSummary {
    static func read(
        _ account: AccountIdentity, in folder: AccountFolder, _ db: ReadTransaction
    ) throws -> AccountSummary {
        let holdings = try Catalog.Holdings(db, path: folder.database)
        return AccountSummary(
            account: account.name, network: account.network, folder: folder.path, createdAt: holdings.createdAt,
            messages: holdings.messages, rooms: holdings.rooms, firstMessage: holdings.firstMessage,
            lastMessage: holdings.lastMessage, state: .hot, bytes: folder.databaseBytes, writer: folder.writerName)
    }

    /// Reads the summary of a copy in a shared archive.
    package static func read(_ account: SharedServer.Account, _ db: ReadTransaction) throws -> AccountSummary {
        let holdings = try Catalog.Holdings(db, path: account.folder)
        var summary = AccountSummary(
            account: account.identity.name, network: account.identity.network, folder: account.folder,
            createdAt: holdings.createdAt, messages: holdings.messages, rooms: holdings.rooms,
            firstMessage: holdings.firstMessage, lastMessage: holdings.lastMessage, state: .shared, bytes: 0,
            writer: nil)
        summary.usedAt = account.copy.caughtUpAt
        return summary
    }

    package init(_ entry: Catalog.Entry, _ cold: Catalog.ColdCopy, in folder: AccountFolder) {
        let holdings = cold.holdings
        self.init(
            account: entry.account.name, network: entry.account.network, folder: folder.path,
            createdAt: holdings.createdAt, messages: holdings.messages, rooms: holdings.rooms,
            firstMessage: holdings.firstMessage, lastMessage: holdings.lastMessage,
            state: cold.encryption == nil ? .cold : .encrypted,
            bytes: cold.digest.size, coldBytes: cold.size, writer: nil)
        usedAt = entry.usedAt
    }
}
