import Archive
import Bytes
package import ChatModel
package import Files
import Schema

/// Compresses, restores, erases and recovers accounts.
extension Archive {
    /// The zstd levels that ``evict(account:level:progress:)`` accepts.
    package static let coldLevels = ColdFile.levels
    /// The usual zstd level.
    package static let coldLevel = ColdFile.defaultLevel

    /// Compresses the account's file. Does nothing when the account is cold.
    ///
    /// - Parameters:
    ///   - level: The zstd level, 1 to 19.
    ///   - recipients: The public keys to encrypt to; nil for none.
    ///   - progress: Receives the number of bytes done.
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    package func evict(
        account: String, level: Int, recipients: AgeRecipients? = nil, progress: @Sendable (Int64) -> Void = { _ in }
    ) throws -> AccountSummary {
        try dataFolder.evict(
            account: account.withoutNUL, level: level, recipients: recipients, progress: progress)
    }

    /// Writes an account's file again without its unused pages.
    ///
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    package func compact(account: String) throws -> AccountSummary {
        try dataFolder.compact(account: account.withoutNUL)
    }

    /// Compresses the least recently used accounts until the hot ones are within the limits. Skips an account that is
    /// in use, and continues with the next. Without a limit on bytes, the hot accounts may take half of the space that they
    /// and the free part of the disk have together; that they exceed this is not an error.
    ///
    /// - Parameters:
    ///   - check: Runs between accounts and with each piece of a file; its error ends the call there and leaves that
    ///     account unchanged.
    ///   - progress: Receives the number of bytes done of an account.
    package func evictOver(
        _ limits: HotLimits, check: @Sendable () throws -> Void = {},
        progress: @Sendable (_ account: String, _ bytes: Int64) -> Void = { _, _ in }
    ) throws -> HotReport {
        try dataFolder.evictOver(limits, check: check, progress: progress)
    }

    /// Completes or rolls back moves that a crash interrupted, in every account that is not in use.
    ///
    /// - Parameters:
    ///   - check: Runs between accounts and with each piece of a file; its error ends the call there, and the next call
    ///     does the remaining work.
    ///   - report: Receives the error of each account that remains unchanged.
    package func recover(
        check: @Sendable () throws -> Void = {}, report: @Sendable (ArchiveError) -> Void
    ) throws {
        try dataFolder.recover(check: check, report: report)
    }

    /// Requires that ``erase(account:)`` would remove every file of an account.
    ///
    /// - Throws: ``ArchiveError`` with `linked` if the account's folder is or has a symbolic link.
    package func requireErasable(_ account: AccountSummary) throws {
        try LinkedFiles(in: account.folder).requireNone()
    }

    /// Removes an account with all its files.
    ///
    /// - Returns: A summary of the account before its removal.
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use, and with `linked` as
    ///   ``requireErasable(_:)``.
    package func erase(account: String) throws -> AccountSummary {
        try dataFolder.erase(account: account.withoutNUL)
    }

    /// Makes the account's file plain again. Does nothing when the account is hot.
    ///
    /// - Parameter progress: Receives the number of bytes done.
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    package func restore(
        account: String, progress: @Sendable (Int64) -> Void = { _ in }
    ) throws -> AccountSummary {
        try dataFolder.restore(account: account.withoutNUL, progress: progress)
    }
}
