import Accounts
import Archive
import ChatModel
package import Exporting
import Glibc
import Operations
import Options
import Reading
import Rendering
import Settings

struct ExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the history of accounts to a folder as documents.",
        discussion: """
            EXAMPLE: scrollback export -a libera --format html -o libera-html

            Writes one file for each month of each room, an index, and a manifest for "scrollback backup verify". Several \
            accounts get a folder each, and one index. A listener may write meanwhile. After an interruption, repeat the \
            command: it continues. --append updates a finished export, edits and late messages included. -o - writes one \
            stream to stdout, without a manifest. --single-file writes one HTML document with the pictures inside, to send \
            or to read on a phone.
            """)

    @Option("account", short: "a", help: "The account (default: the only one); may be repeated.", completion: .accounts)
    var account: [String] = []

    @Flag("all", help: "Export all accounts, each into a folder, with one index.")
    var all = false

    @Option(
        "format", help: "The format: \(KnownExportFormats.names.joined(separator: ", ")). (default: jsonl)",
        completion: .list(KnownExportFormats.names))
    var format: String?

    @Option("room", help: "Only this room, by name or id; may be repeated.", valueName: "room", completion: .rooms)
    var room: [String] = []

    @OptionGroup var times: TimeOptions

    @Option(
        "output", short: "o",
        help: "The folder to write to, created if it is missing; - for stdout. With --single-file, the file to write.",
        valueName: "folder", completion: .directory)
    var output: String

    @Flag("append", help: "Update the finished export in the folder; it keeps its account, rooms, times and format.")
    var append = false

    @Flag("with-files", help: "Export the stored files too; html and markdown show pictures in place.")
    var withFiles = false

    @Flag("single-file", help: "Write one HTML document with the pictures inside: -o FILE.html, or -o -.")
    var singleFile = false

    @Option(
        "max-picture",
        help: "The largest picture in a single file (default \(SingleFileOptions.shown(PictureLimits.usualEach))).",
        valueName: "size", transform: SingleFileOptions.size)
    var maxPicture: Int64?

    @Option(
        "max-pictures",
        help:
            "The limit of all pictures in a single file (default \(SingleFileOptions.shown(PictureLimits.usualTotal))).",
        valueName: "size", transform: SingleFileOptions.size)
    var maxPictures: Int64?

    @Option("title", help: "The title of an HTML export (default: the account, or the room).", valueName: "text")
    var title: String?

    @Option(
        "mode", help: "The mode of folders, for example 755 to serve them; files get it without x (default 700).",
        valueName: "octal", transform: ExportCommand.mode)
    var mode: mode_t?

    @Option("report", help: "The format of the report; text: on stderr.", valueName: "format")
    var report = OutputFormat.text

    @Flag("utc", help: "Use months and times in UTC (default: the local zone, TZ).")
    var utc = false

    @OptionGroup(title: "Where") var folder: FolderOptions
    @OptionGroup(title: "Where") var shared: SharedArchiveOption
    @OptionGroup(title: "Where") var identity: IdentityOption

    var reading: ArchiveReading {
        get throws {
            guard let archive = try shared.archive else {
                return Archive(folder: try folder.resolve(), cold: .copies, identities: identity.identities).reading()
            }
            _ = try folder.search.namedConfiguration()
            return archive.reading()
        }
    }

    func validate() throws {
        if output.isEmpty { throw ValidationError("-o needs the name of a folder") }
        try validateSingleFile()
        if isStream, all || account.count > 1 {
            throw ValidationError("-o - takes one account; name it with -a")
        }
        if isStream, report != .text { throw ValidationError("-o - writes to stdout; remove --report") }
        if isStream, append { throw ValidationError("-o - has no earlier export to continue; remove --append") }
        _ = try format.map(KnownExportFormats.named)
        if withFiles, isStream {
            throw ValidationError("a stream has no files; name a folder with -o, or remove --with-files")
        }
        if withFiles, try shared.address != nil {
            throw ValidationError("a shared archive has no files of messages; remove --with-files")
        }
        _ = try times.bounds(zone: zone)
        if all, !account.isEmpty { throw ValidationError("--all means every account; remove -a, or --all") }
        if !room.isEmpty, all || account.count > 1 {
            throw ValidationError("--room needs one account; name it with -a")
        }
    }

    func run() async throws {
        if singleFile { return try await writeSingleFile() }
        if isStream { return try stream() }
        var target = ExportFolder(path: output)
        target.mode = mode ?? target.earlierMode ?? ExportFolder.ownerOnly
        let reading = try reading
        let isNew = access(output, F_OK) != 0
        let lock = try target.lock()
        defer { withExtendedLifetime(lock) {} }
        do {
            try await export(into: target, from: reading)
        } catch {
            // Removes only an empty folder.
            if isNew { rmdir(output) }
            throw error
        }
    }

    private func export(into target: ExportFolder, from reading: ArchiveReading) async throws {
        let collection = try ExportCollection.read(in: target)
        if all || account.count > 1 || collection != nil {
            return try await exportSeveral(collection, into: target, from: reading)
        }
        let earlier = try ExportManifest.read(in: target)
        try refuse(earlier, in: target)
        let name = try nameOfAccount(earlier, in: reading)
        let account = try await export(name, earlier, into: target, from: reading)
        try write([account])
        guard account.report.lost == 0 else { throw ExitCode.failure }
    }

    /// Writes the report in a machine format; ``ExportWork`` writes it for people.
    func write(_ exports: [ExportedAccount]) throws {
        guard report != .text else { return }
        try StandardStream.output.write(ExportedAccount.listing.render(exports, format: report))
    }

    /// Exports one account, or continues its export.
    ///
    /// - Parameter other: The export of another account, whose options a new export takes; nil for the given options.
    func export(
        _ name: String, _ earlier: ExportManifest?, like other: ExportManifest? = nil, into target: ExportFolder,
        from reading: ArchiveReading
    ) async throws -> ExportedAccount {
        let source = try AccountExport(of: name, in: reading)
        let wanted = try request(of: source, folder: reading.folder)
        let request =
            if let earlier {
                try earlier.request(wanted, given: given, epoch: source.position().epoch, in: target)
            } else if let other {
                try other.request(wanted, given: given, in: target)
            } else {
                wanted
            }
        try target.make()
        let signals = StopSignals()
        let isForPeople = report == .text
        let done = try await signals.watched {
            try ExportWork(
                source: source, folder: target, request: request, earlier: earlier, isForPeople: isForPeople
            ).perform { signals.number != 0 }
        }
        guard let done else { throw ExitCode(128 + signals.number) }
        return ExportedAccount(
            account: name, folder: target.path, format: request.format.name, report: done)
    }

    /// True to write to stdout.
    var isStream: Bool { output == "-" }

    private func stream() throws {
        let reading = try reading
        let source = try AccountExport(of: try nameOfAccount(nil, in: reading), in: reading)
        let stream = try ExportStream(source: source, request: try request(of: source, folder: reading.folder))
        try stream.perform { try StandardStream.output.write($0) }
    }

    /// The options that were given, except the target folder.
    private var given: ExportManifest.ContinuationOptions {
        ExportManifest.ContinuationOptions(
            account: account.count == 1 ? account.first : nil, format: format != nil, rooms: !room.isEmpty,
            bounds: times.after != nil || times.before != nil,
            zone: utc)
    }

    private var zone: Zone { utc ? .gmt : .local }

    private func refuse(_ earlier: ExportManifest?, in target: ExportFolder) throws {
        switch earlier {
        case nil where append:
            throw CommandError(
                .export, "\(target.shown) has no export to continue",
                hint: "remove --append to create one, or name the folder of an export with -o"
            )
        case nil:
            guard try target.isEmpty() else {
                throw CommandError(
                    .export, "\(target.shown) is not empty and is not an export", hint: "name another folder with -o")
            }
        case let earlier? where earlier.fault != nil:
            throw CommandError(
                .export, "the manifest of \(target.shown) can't be continued: \(earlier.fault ?? "")",
                hint: "export to another folder")
        case let earlier? where earlier.trailer != nil && !append:
            throw CommandError(
                .export, "\(target.shown) has a finished export",
                hint: "update it with --append, or choose another folder with -o")
        default: break
        }
    }

    func nameOfAccount(_ earlier: ExportManifest?, in reading: ArchiveReading) throws -> String {
        if let earlier { return earlier.header.account }
        let known = try reading.accounts().map(\.name)
        if let account = account.first {
            guard known.contains(where: { $0.utf8.elementsEqual(account.utf8) }) else {
                throw RoomSelection.unknown(account: account, known: known, folder: reading.folder)
            }
            return account
        }
        guard let only = known.first, known.count == 1 else {
            let list = known.isEmpty ? "" : "; existing: \(known.map(Sanitizer.line).joined(separator: ", "))"
            let every = isStream || singleFile ? "" : ", or all of them with --all"
            throw ValidationError("choose an account with -a NAME\(every)\(list)")
        }
        return only
    }

    private static func mode(_ text: String) throws -> mode_t {
        guard text.wholeMatch(of: /0?7[0-7]{2}/) != nil, let mode = mode_t(text, radix: 8) else {
            throw ValidationError(
                "can't use mode \"\(Sanitizer.line(text))\"; give three octal digits that begin with 7, such as 755")
        }
        return mode
    }

    func request(of source: AccountExport, folder: String) throws -> ExportRequest {
        let (after, before) = try times.bounds(zone: zone)
        let resolver = RoomResolver(
            rooms: try source.namedRooms(), folder: folder, account: source.account.name)
        let rooms = try room.flatMap { try resolver.resolveAll($0) }.map(\.id)
        return ExportRequest(
            format: try KnownExportFormats.named(format ?? JSONLinesExport.name),
            rooms: rooms.isEmpty ? nil : Array(Set(rooms)).sorted(), after: after, before: before, zone: zone,
            hasFiles: withFiles, title: title)
    }
}

extension KnownExportFormats {
    /// The names of all formats.
    package static var names: [String] { all.map { $0.name } }

    /// Finds a format by its name.
    ///
    /// - Throws: ``ValidationError`` for an unknown name, with the nearest one.
    package static func named(_ name: String) throws -> any ExportFormat.Type {
        guard let found = all.first(where: { $0.name == name }) else {
            let nearest = Nearest.to(name, among: names).map { "; did you mean \"\($0)\"?" } ?? "."
            throw ValidationError(
                "no format \"\(Sanitizer.line(name))\"\(nearest) Formats: \(names.joined(separator: ", "))")
        }
        return found
    }
}
