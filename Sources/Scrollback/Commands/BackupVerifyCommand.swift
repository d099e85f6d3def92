import Archive
import Exporting
import Options
import Rendering

struct BackupVerifyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a backup or an export.",
        discussion: """
            EXAMPLE: scrollback backup verify /mnt/backup/scrollback

            Reads every file and changes nothing. Without the secret key (--identity), checks that encrypted files are as \
            they were written; with it, also what is in them. Checks the accounts of a backup as "archive check" does; compares the \
            files of an export with its manifest. Exit status: 0 fine, 1 something could not be read, 2 something is wrong \
            or missing.
            """)

    @Argument("backup-folder", help: "The folder of the backup or the export.", completion: .directory)
    var backup: String

    @Argument("account", help: "The accounts of the backup to check (default all).", completion: .accounts)
    var accounts: [String] = []

    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        guard reader.folder.data == nil, reader.shared.sharedAddress == nil else {
            throw ValidationError("name the backup's folder, without --data and --archive")
        }
    }

    func run() throws {
        let export = ExportFolder(path: backup)
        if try ExportManifest.read(in: export) != nil { return try verify([export]) }
        if let collection = try ExportCollection.read(in: export) { return try verify(collection, in: export) }
        guard try Archive(folder: backup).hasAccounts() else {
            throw CommandError(
                .backup, "\(Sanitizer.line(backup)) is neither a backup nor an export",
                hint: "name the folder that has \"accounts\" or \"\(ManifestLine.fileName)\" in it")
        }
        var reader = reader
        reader.folder.data = backup
        try CheckCommand.check(accounts, reader)
    }

    /// Verifies the index over the accounts of an export, and the export of each.
    private func verify(_ collection: ExportCollection, in folder: ExportFolder) throws {
        let index = try ExportVerification(index: collection, of: folder)
        try verify(
            collection.accounts.map { ExportFolder(path: folder.path + "/" + $0.folder) }, after: [(index, folder)])
    }

    /// - Parameter index: The verification of the index, which is reported first.
    private func verify(
        _ folders: [ExportFolder], after index: [(ExportVerification, ExportFolder)] = []
    ) throws {
        guard accounts.isEmpty else {
            throw ValidationError("name only the export's folder; it is verified as a whole")
        }
        let line = TerminalLine()
        let parts = try folders.map { folder in
            let verification = try ExportVerification(of: folder) { bytes, total in
                line.show("verifying: \(ByteCount(bytes)) of \(ByteCount(total))")
            }
            return (verification, folder)
        }
        line.clear()
        let all = index + parts
        if reader.format == .text {
            try StandardStream.output.write(all.map { Self.text($0.0, in: $0.1) }.joined())
        } else {
            try reader.write(
                all.map { ExportVerification.Result($0.0, in: $0.1) }, as: ExportVerification.Result.listing,
                leftOut: [])
        }
        guard all.contains(where: { !$0.0.isValid }) else { return }
        let error = CommandError(
            .export, "the export in \(ExportFolder(path: backup).shown) is not valid",
            hint: all.allSatisfy(\.0.isFinished)
                ? "remove these files; \"scrollback export --append\" writes them again"
                : "run the same export command again to finish it")
        StandardStream.note("scrollback: \(error.sentence)\n")
        throw ExitCode(2)
    }

    private static func text(_ verification: ExportVerification, in folder: ExportFolder) -> String {
        guard let manifest = verification.manifest else {
            return "\(folder.shown): index of an export of several accounts\n" + faults(verification)
        }
        let (header, trailer) = (manifest.header, manifest.trailer)
        var lines = ["\(folder.shown): \(Sanitizer.line(header.format)) of account \(Sanitizer.line(header.account))"]
        if verification.isValid, let trailer {
            lines.append(
                "\(trailer.messages.of(.message)) in \(trailer.files.of("file")) (\(ByteCount(trailer.bytes))), as written"
            )
            if let first = trailer.first, let last = trailer.last { lines.append("from \(first) to \(last)") }
            lines.append(
                trailer.gaps == 0
                    ? "no gaps" : trailer.gaps.of("gap"))
        }
        return lines.map { $0 + "\n" }.joined() + faults(verification)
    }

    /// Returns the faults, and the files that don't belong to the export.
    private static func faults(_ verification: ExportVerification) -> String {
        var lines = verification.faults
        if verification.faultCount > verification.faults.count {
            lines.append("and \((verification.faultCount - verification.faults.count).grouped) more")
        }
        if verification.otherCount > 0 {
            let names = verification.others.prefix(3).map(Sanitizer.line).joined(separator: ", ")
            let more = verification.otherCount > 3 ? ", …" : ""
            lines.append("not part of the export: \(verification.otherCount.of("file")) (\(names)\(more))")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
