package import ChatModel
import Files
import Schema

extension Archive {
    /// Returns the number of an account's files, and their size in bytes.
    package func attachmentSize(of account: AccountSummary) throws -> (count: Int, bytes: Int64) {
        let folder = AttachmentFolder(account: account.folder)
        let sizes = try folder.hashes().compactMap { folder.file($0).flatMap(FolderEntries.size) }
        return (sizes.count, sizes.reduce(0, +))
    }
}
