package import Accounts
package import ChatModel
import Files

/// Reads accounts, of a data folder or of a shared archive, and keeps them open until the value is released, so that a
/// command opens each account once.
///
/// Every read goes through it, on a thread that may wait for a disk. Only ``Archive/check(accounts:progress:)``
/// doesn't, because it examines the files themselves.
package final class ArchiveReading: Sendable {
    let opened: OpenAccounts
    /// The accounts and rooms that can be read; others do not exist here. Each ``AccountReader`` decides which rooms
    /// these are when it reads.
    let access: ReadAccess
    /// The bytes of messages after which a page ends early, with the cursor that continues. It has one message at least.
    let pageBytes: Int

    package init(_ dataFolder: DataFolder) {
        (opened, access, pageBytes) = (OpenAccounts(.files(dataFolder)), .everything, .max)
    }

    init(_ server: SharedServer) {
        (opened, access, pageBytes) = (OpenAccounts(.shared(server)), .everything, .max)
    }

    private init(_ other: ArchiveReading, access: ReadAccess, pageBytes: Int) {
        (opened, self.access, self.pageBytes) = (other.opened, access, pageBytes)
    }

    /// The data folder; nil for a shared archive.
    package var dataFolder: DataFolder? { opened.dataFolder }

    /// Returns a value that reads only a part of the archive, with the same open accounts.
    package func restricted(to access: ReadAccess) -> ArchiveReading {
        access == self.access ? self : ArchiveReading(self, access: access, pageBytes: pageBytes)
    }

    /// Returns a value whose pages end early once their messages have so many bytes.
    package func bounded(pageBytes: Int) -> ArchiveReading {
        ArchiveReading(self, access: access, pageBytes: pageBytes)
    }

    /// Returns a value that does not see the rooms either that have or had a name that a pattern matches.
    package func hiding(_ patterns: [RoomPattern]) -> ArchiveReading {
        restricted(to: access.hiding(patterns))
    }

    /// True for a shared archive.
    package var isShared: Bool { dataFolder == nil }

    /// The path of the data folder, as given, or the address of the shared archive.
    package var folder: String { opened.folder }

    /// Returns the age of the oldest copy among the accounts that can be read. Returns nil for a data folder, and for a
    /// shared archive without accounts.
    package func oldestCopy() throws -> AccountCopyAge? {
        guard case .shared(let server) = opened.source else { return nil }
        let accounts = try server.recentAccounts()
        return accounts.filter { access.sees(account: $0.identity.name) }
            .map { AccountCopyAge(account: $0.identity.name, caughtUpAt: $0.copy.caughtUpAt) }
            .min { ($0.caughtUpAt?.microseconds ?? .min) < ($1.caughtUpAt?.microseconds ?? .min) }
    }

    /// The accounts that the answers so far lack.
    package var skipped: [SkippedAccount] {
        (dataFolder?.skipped.all ?? []).filter { $0.account.map(access.sees(account:)) ?? access.isEverything }
    }

    /// Returns the accounts in the folder, cold ones included, sorted by name; empty if there is no folder.
    package func accounts() throws -> [AccountIdentity] {
        try opened.identities().filter { access.sees(account: $0.name) }
    }

    /// Returns true if everything of an account can be read.
    package func seesAll(of account: String) -> Bool { access.seesAll(of: account) }

    /// Releases the accounts that were not used for that time.
    package func release(unusedFor time: Duration) { opened.release(unusedFor: time) }

    /// Writes which accounts are used, for a command that goes on until it is killed.
    func writeFirstUses() {
        dataFolder?.catalog.writeFirstUses()
    }

    /// Writes which accounts were used, for a program that ends without releasing the value.
    package func writeUses() {
        dataFolder?.catalog.writeUses()
    }
}

/// The questions that a type of their own answers.
extension ArchiveReading {
    /// The searches, with their context and what they miss.
    package var search: SearchReading { SearchReading(reading: self) }
    /// The counts of hits, of days and of whole accounts.
    package var counts: ArchiveCounts { ArchiveCounts(reading: self) }
    /// The merges and bridges of accounts.
    package var merging: MergeReading { MergeReading(reading: self) }
    /// The files and pictures that came with messages.
    package var files: ArchivedFiles { ArchivedFiles(reading: self) }
    /// The effects of retention rules and holds.
    package var retention: RetentionReading { RetentionReading(reading: self) }
    /// The change feeds.
    package var feeds: AccountFeeds { AccountFeeds(reading: self) }
    /// The messages whose ciphertext alone is known.
    package var decryption: DecryptionReading { DecryptionReading(reading: self) }
}
