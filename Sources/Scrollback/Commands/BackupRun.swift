import Archive
import ArgumentParser
import ChatModel
import Rendering
import Synchronization

/// Copies accounts one after the other. An account that fails does not stop the others.
final class BackupRun: Sendable {
    private let progress: MoveProgress
    private let hasFailed = Mutex(false)

    init(verb: String) {
        progress = MoveProgress(verb: verb)
    }

    /// Reports accounts that can't be read, and marks the run as failed.
    var reportSkipped: @Sendable ([SkippedAccount]) -> Void {
        { [self] accounts in SkippedAccountsText.lines(accounts, takesCold: false).forEach(fail) }
    }

    func perform(
        _ account: String, _ copy: (@escaping @Sendable (BackupProgress) -> Void) async throws -> BackupReport
    ) async throws {
        do {
            let report = try await copy { [progress] step in
                progress.show(account, step.bytes, Self.note(logGrowth: step.logGrowth))
            }
            progress.clear()
            StandardStream.note("\(Self.sentence(account, report))\n")
            if !report.files.corrupt.isEmpty { fail(Self.corrupt(account, report.files.corrupt)) }
        } catch let error as ArchiveError {
            progress.clear()
            fail(FailureText.sentence(for: error) ?? error.detail)
        }
    }

    func finish() throws {
        if hasFailed.withLock(\.self) { throw ExitCode.failure }
    }

    private func fail(_ sentence: String) {
        hasFailed.withLock { $0 = true }
        StandardStream.note("scrollback: \(sentence)\n")
    }

    /// Returns a sentence such as `old: 12 messages in 3 rooms, 1.2 MB in /mnt/backup/accounts/old-7f3k2a`.
    static func sentence(_ account: String, _ report: BackupReport) -> String {
        let rooms = report.rooms == 1 ? "1 room" : "\(report.rooms) rooms"
        let state = report.isUnchanged ? ", compressed and unchanged" : report.state == .cold ? ", compressed" : ""
        return "\(Sanitizer.line(account)): \(Int(report.messages).of(.message)) in \(rooms), "
            + "\(ByteCount(report.bytes))\(state)\(files(report.files)) in \(Sanitizer.line(report.folder))\(note(logGrowth: report.logGrowth))"
    }

    /// Returns the error about corrupt files. The others are copied, and an earlier copy of the corrupt ones stays.
    private static func corrupt(_ account: String, _ hashes: [String]) -> String {
        let some = hashes.prefix(3).joined(separator: ", ") + (hashes.count > 3 ? ", …" : "")
        return
            "\(Sanitizer.line(account)): skipped \(hashes.count == 1 ? "1 damaged file" : "\(hashes.count) damaged files") "
            + "(\(some)); \"scrollback archive check\" lists them [\(CommandErrorCode.backup.rawValue)]"
    }

    private static func files(_ files: BackupReport.Files) -> String {
        guard files.count > 0 else { return "" }
        return ", \(files.count == 1 ? "1 file" : "\(files.count.grouped) files") of \(ByteCount(files.bytes))"
            + (files.added == files.count ? "" : " (\(files.added.grouped) new)")
    }

    /// Returns a note on the growth of the `-wal`; empty below 1 MB, which ordinary writes cause.
    private static func note(logGrowth: Int64) -> String {
        logGrowth < 1_000_000 ? "" : "; the -wal file grew by \(ByteCount(logGrowth)) meanwhile"
    }
}
