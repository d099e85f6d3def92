import Exporting
import FoundationEssentials
import Options
import Reading
import Rendering
import Settings

/// Texts of sizes in options.
enum SingleFileOptions {
    /// Returns a size as an option takes it, such as `5MB`.
    static func shown(_ bytes: Int64) -> String { "\(bytes / 1_000_000)MB" }

    static func size(_ text: String) throws -> Int64 {
        guard let size = ByteCount(written: text) else {
            throw ValidationError(
                "can't read \"\(Sanitizer.line(text))\" as a size; give a whole number with kB, MB, GB or TB, such as 5MB"
            )
        }
        return size.bytes
    }
}

extension ExportCommand {
    /// Refuses options that do not fit a single file, and options that only fit one.
    func validateSingleFile() throws {
        let isHTML = format.map { $0 == HTMLExport.name } ?? (append || singleFile)
        if title != nil, !isHTML { throw ValidationError("--title needs --format html or --single-file") }
        guard singleFile else {
            if maxPicture != nil || maxPictures != nil {
                throw ValidationError("--max-picture and --max-pictures need --single-file")
            }
            return try refuseDocument()
        }
        if !isHTML { throw ValidationError("--single-file writes HTML; remove --format") }
        if append {
            throw ValidationError("--single-file writes the whole file each time; remove --append to write it again")
        }
        if report != .text { throw ValidationError("--single-file writes its report for people; remove --report") }
        if withFiles {
            throw ValidationError(
                "--single-file has pictures inside and no other files; remove --with-files, or export a folder")
        }
        if all || account.count > 1 { throw ValidationError("--single-file takes one account; name it with -a") }
        guard isStream || isNamedHTML else {
            throw ValidationError(
                "--single-file needs the name of an HTML file, such as -o room.html, or -o - for stdout")
        }
    }

    /// Refuses a file as the folder of an export, and an export that continues one with the name of an HTML file.
    private func refuseDocument() throws {
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        guard !isStream, exists ? !isFolder : append && isNamedHTML else { return }
        let name = NextCommand.word(output)
        let reason =
            exists
            ? "\(name) is a file, and an export is a folder"
            : "--append continues an export in a folder, and \(name) does not exist"
        let removed = append ? ", without --append" : ""
        throw ValidationError(
            "\(reason); "
                + (isNamedHTML ? "for one HTML file: --single-file -o \(name)\(removed)" : "choose a folder with -o"))
    }

    private var isNamedHTML: Bool { ["html", "htm"].contains(URL(filePath: output).pathExtension.lowercased()) }

    private var limits: PictureLimits {
        PictureLimits(each: maxPicture ?? PictureLimits.usualEach, total: maxPictures ?? PictureLimits.usualTotal)
    }

    func writeSingleFile() async throws {
        let reading = try reading
        let source = try AccountExport(of: try nameOfAccount(nil, in: reading), in: reading)
        let request = try request(of: source, folder: reading.folder)
        let signals = StopSignals()
        let report = try await signals.watched { try write(source, request) { signals.number != 0 } }
        guard let report else { throw ExitCode(128 + signals.number) }
        StandardStream.note(notes(report))
        guard report.leftOut.lost.count == 0 else { throw ExitCode.failure }
    }

    /// Returns nil when it was stopped, after reporting that.
    private func write(
        _ source: AccountExport, _ request: ExportRequest, isStopped: @escaping () -> Bool
    ) throws -> SingleDocument.Report? {
        let line = TerminalLine()
        defer { line.clear() }
        let document = SingleDocument(
            source: source, request: request, limits: limits, isStopped: isStopped,
            progress: { line.show($0.of(.message)) })
        do {
            guard !isStream else { return try document.perform { try StandardStream.output.write($0) } }
            return try document.write(to: output, mode: mode ?? ExportFolder.ownerOnly)
        } catch is ExportStopped {
            line.clear()
            StandardStream.note(isStream ? "stopped; the document is incomplete\n" : "stopped; nothing was written\n")
            return nil
        }
    }

    private static let allFiles = "for all files: export a folder with --format html --with-files"

    /// Returns the facts about the document, and a line for each reason why files are not in it.
    private func notes(_ report: SingleDocument.Report) -> String {
        let pictures =
            report.pictures.count == 0
            ? "" : ", with \(report.pictures.count.of("picture")) (\(ByteCount(report.pictures.bytes)))"
        let place = isStream ? "" : " in \(Sanitizer.line(output))"
        var notes = ["\(report.messages.of(.message))\(pictures): \(ByteCount(report.bytes))\(place)"]
        notes += report.leftOut.lines(limits).map { "left out: \($0)" }
        if report.leftOut.tooLarge.count + report.leftOut.overTotal.count > 0 {
            notes.append("for more pictures: --max-picture and --max-pictures; \(Self.allFiles)")
        } else if report.leftOut.others.count > 0 {
            notes.append(Self.allFiles)
        }
        if report.leftOut.lost.count > 0 { notes.append("to list damaged files: scrollback archive check") }
        if report.messages > SingleDocument.manyMessages {
            notes.append("a phone may fail to open a document of this length; select a time with --after and --before")
        }
        return notes.map { $0 + "\n" }.joined()
    }
}
