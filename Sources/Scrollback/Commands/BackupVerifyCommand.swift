import Archive
import ArgumentParser
import Exporting
import Rendering

struct BackupVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a backup or an export.",
        discussion: """
            EXAMPLE: scrollback backup verify /mnt/backup/scrollback

            Reads every file and changes nothing. Checks the accounts of a backup as "archive check" does; compares the \
            files of an export with its manifest. Exit status: 0 fine, 1 something could not be read, 2 something is wrong \
            or missing.
            """)

    @Argument(
        help: ArgumentHelp("The folder of the backup or the export.", valueName: "backup-folder"),
        completion: .directory)
    var backup: String

    @Argument(
        help: ArgumentHelp("The accounts of the backup to check (default all).", valueName: "account"),
        completion: ArchiveNames.accountCompletion)
    var accounts: [String] = []

    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        guard reader.folder.data == nil else { throw ValidationError("name the backup's folder, without --data") }
    }

    func run() async throws {
        let export = ExportFolder(path: backup)
        if try ExportManifest.read(in: export) != nil { return try verify(export) }
        guard try await !Archive(folder: backup).reading().accounts().isEmpty else {
            throw CommandError(
                .backup, "\(Sanitizer.line(backup)) is neither a backup nor an export",
                hint: "name the folder that has \"accounts\" or \"\(ManifestLine.fileName)\" in it")
        }
        var reader = reader
        reader.folder.data = backup
        try await CheckCommand.check(accounts, reader)
    }

    private func verify(_ folder: ExportFolder) throws {
        guard accounts.isEmpty else { throw ValidationError("an export has one account: name only its folder") }
        let line = TerminalLine()
        let verification = try ExportVerification(of: folder) { bytes, total in
            line.show("verifying: \(ByteCount(bytes)) of \(ByteCount(total))")
        }
        line.clear()
        if reader.format == .text {
            try StandardStream.output.write(Self.text(verification, in: folder))
        } else {
            try reader.write([ExportVerification.Result(verification, in: folder)], as: .exports, leftOut: [])
        }
        guard !verification.isValid else { return }
        let error = CommandError(
            .export, "the export in \(folder.shown) is not valid",
            hint: verification.manifest.trailer == nil && verification.manifest.fault == nil
                ? "run the same export command again to finish it"
                : "remove these files; \"scrollback export --append\" writes them again")
        StandardStream.note("scrollback: \(error.sentence)\n")
        throw ExitCode(2)
    }

    private static func text(_ verification: ExportVerification, in folder: ExportFolder) -> String {
        let (header, trailer) = (verification.manifest.header, verification.manifest.trailer)
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
        lines += verification.faults
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
