import ArgumentParser
import Exporting
import Rendering

struct ExportVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that an export is whole, and as it was written.",
        discussion: """
            EXAMPLE: scrollback export verify libera-html

            It reads every file, and compares it with the manifest. Exit status: 0 fine, 1 it could not be read, 2 \
            something is wrong or missing.
            """)

    @Argument(help: ArgumentHelp("The folder that was exported into.", valueName: "folder"), completion: .directory)
    var folder: String

    func run() async throws {
        let folder = ExportFolder(path: folder)
        let line = TerminalLine()
        let verification = try ExportVerification(of: folder) { bytes, total in
            line.show("verifying: \(ByteCount(bytes)) of \(ByteCount(total))")
        }
        line.clear()
        try StandardStream.output.write(Self.text(verification, in: folder))
        guard !verification.isValid else { return }
        let error = CommandError(
            .export, "the export in \(folder.shown) is not valid",
            hint: verification.manifest.trailer == nil && verification.manifest.fault == nil
                ? "the command that began it goes on with it"
                : "remove the files that are named, and \"scrollback export --append\" writes them anew")
        StandardStream.note("scrollback: \(error.sentence)\n")
        throw ExitCode(2)
    }

    static func text(_ verification: ExportVerification, in folder: ExportFolder) -> String {
        let (header, trailer) = (verification.manifest.header, verification.manifest.trailer)
        var lines = ["\(folder.shown): \(Sanitizer.line(header.format)) of account \(Sanitizer.line(header.account))"]
        if verification.isValid, let trailer {
            lines.append(
                "\(trailer.messages.of(.message)) in \(trailer.files.of("file")) (\(ByteCount(trailer.bytes))), as written"
            )
            if let first = trailer.first, let last = trailer.last { lines.append("from \(first) to \(last)") }
            lines.append(
                trailer.gaps == 0
                    ? "no gaps inside" : "\(trailer.gaps.of("gap")) inside")
        }
        lines += verification.faults
        if verification.faultCount > verification.faults.count {
            lines.append("and \((verification.faultCount - verification.faults.count).grouped) more")
        }
        if verification.otherCount > 0 {
            let names = verification.others.prefix(3).map(Sanitizer.line).joined(separator: ", ")
            let more = verification.otherCount > 3 ? ", …" : ""
            lines.append("not of the export: \(verification.otherCount.grouped) files (\(names)\(more))")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
