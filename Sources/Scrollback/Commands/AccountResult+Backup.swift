import ChatModel
import Moves
import Rendering

extension AccountResult {
    /// Creates the result of a copy: `12 messages in 3 rooms, 1.2 MB in /mnt/backup/accounts/old-7f3k2a`.
    init(_ account: String, _ report: BackupReport) {
        let rooms = report.rooms == 1 ? "1 room" : "\(report.rooms) rooms"
        let state = Self.state(report)
        let files = Self.files(report.files)
        self.init(
            account, report.isUnchanged ? .unchanged : .done, folder: report.folder,
            detail: "\(Int(report.messages).of(.message)) in \(rooms), \(ByteCount(report.bytes))\(state)\(files) in "
                + "\(report.folder)\(MoveProgress.note(logGrowth: report.logGrowth))")
        (figures.messages, figures.rooms, figures.bytes) = (report.messages, report.rooms, report.bytes)
        (figures.files, figures.fileBytes) = (Int64(report.files.count), report.files.bytes)
        figures.added = Int64(report.files.added)
        if report.missingFiles > 0 {
            detail +=
                ", without the \(report.missingFiles.of("file")) that came with messages; to fetch them again: "
                + "scrollback attachments --fetch"
        }
        if !report.files.corrupt.isEmpty { note(corrupt: report.files.corrupt) }
    }

    /// Adds the error about corrupt files. The others are copied, and an earlier copy of the corrupt ones stays.
    private mutating func note(corrupt hashes: [String]) {
        let some = hashes.prefix(3).joined(separator: ", ") + (hashes.count > 3 ? ", …" : "")
        (state, error) = (.incomplete, CommandErrorCode.backup.rawValue)
        detail =
            "\(account): \(detail); skipped \(hashes.count.of("damaged file")) (\(some)); "
            + "\"scrollback archive check\" lists them"
    }

    private static func state(_ report: BackupReport) -> String {
        let words: [AccountSummary.State: String] = [.cold: "compressed", .encrypted: "encrypted"]
        return words[report.state].map { ", \($0)" + (report.isUnchanged ? " and unchanged" : "") } ?? ""
    }

    private static func files(_ files: BackupReport.Files) -> String {
        guard files.count > 0 else { return "" }
        return ", \(files.count.of("file")) of \(ByteCount(files.bytes))"
            + (files.added == files.count ? "" : " (\(files.added.grouped) new)")
    }
}

extension MoveProgress {
    func show(_ account: String, _ step: BackupProgress) {
        show(account, step.bytes, Self.note(logGrowth: step.logGrowth))
    }

    /// Returns a note on the growth of the `-wal`; empty below 1 MB, which ordinary writes cause.
    fileprivate static func note(logGrowth: Int64) -> String {
        logGrowth < 1_000_000 ? "" : "; the -wal file grew by \(ByteCount(logGrowth)) meanwhile"
    }
}
