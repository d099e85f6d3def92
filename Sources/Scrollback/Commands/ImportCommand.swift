import Archive
import Bytes
import ChatModel
import Importing
import LogFormats
import Options
import Reading
import Rendering
import Settings
import TextEncodings

struct ImportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import logs and exports of other programs; messages that are stored already are skipped.",
        usage: "scrollback import [<format>] <path> ... [-a <account>] [<options>]",
        discussion: """
            EXAMPLE: scrollback import logs/ -a old --timezone Europe/Berlin

            Formats: \(KnownLogFormats.names). The format of each file is recognised. Files may be compressed with gzip, and folders be \
            in a ZIP archive. A listener may write meanwhile. After an interruption, repeat the command: it continues.
            Exit status: 0 done, 1 a file or a tenth of its lines could not be read, or a file was skipped.
            """)

    @Argument(
        "path",
        help: """
            Files, folders, a home (~), ZIP archives, or - for stdin. A format's name before them skips the recognition.
            """, completion: .file())
    var words: [String]

    @Option(
        "account", short: "a",
        help: "The account to import into; a new name creates it (default: proposed; asks on a terminal).",
        completion: .accounts)
    var account: String?

    @Option("room", help: "The room (default: as the file's name or its lines say).")
    var room: String?

    @Option("timezone", help: "The zone of the log's times: Europe/Berlin, +09:00 (default: the local zone, TZ).")
    var timezone: String?

    @Option(
        "me",
        help: "Your name in the log, also where it has only 나 or you; several: repeat it (default: as given before).",
        valueName: "name")
    var me: [String] = []

    @Option(
        "encoding", help: "The encoding of lines that are not UTF-8: cp949, shift_jis, koi8-r (default: recognised).",
        valueName: "name", completion: .list(TextEncoding.allCases.map(\.rawValue)), transform: ImportCommand.encoding)
    var encoding: TextEncoding?

    @OptionGroup var source: ImportSourceOptions

    @Flag("unread", help: "Count the imported messages as unread (default: as read).")
    var unread = false

    @Flag("without-files", help: "Don't store the files beside an export, such as pictures.")
    var withoutFiles = false

    @Flag("allow-shift", help: "Import messages that the account has at other times, as from another time zone.")
    var allowShift = false

    @Flag("dry-run", help: "Report what an import would do; store nothing.")
    var dryRun = false

    @Option(
        "format",
        help: "The output format: text (a report on stderr), or the result of each file as json, jsonl or csv.",
        transform: ImportCommand.outputFormat)
    var format = OutputFormat.text

    @Flag("yes", help: "Import without a question: into the proposed account; from a home, everything found.")
    var yes = false

    @OptionGroup(title: "Where") var folder: FolderOptions

    func validate() throws {
        let words = try ImportWords(words)
        if home(in: words) != nil { try refuseForHome() }
        if let account, account.isEmpty { throw ValidationError("an account needs a name") }
        if let room, room.isEmpty { throw ValidationError("a room needs a name") }
        if me.contains(where: { $0.allSatisfy(\.isWhitespace) }) { throw ValidationError("--me needs a name") }
        if timezone != nil, let format = try source.format(words.format), !format.hasLocalTimes {
            throw ValidationError("--timezone can't be used with \(format.name): its times include their zone")
        }
        if let encoding, !encoding.isWide, let format = try source.format(words.format), format.isAlwaysUTF8 {
            throw ValidationError("--encoding can't be used with \(format.name): its files are in Unicode")
        }
        _ = try (zone(), source.format(words.format), source.choices())
    }

    func run() async throws {
        let signals = StopSignals()
        do {
            try await signals.watched { try await perform(signals) }
        } catch is ExitCode where signals.number != 0 {
            throw ExitCode(128 + signals.number)
        }
        if signals.number != 0 { throw ExitCode(128 + signals.number) }
    }

    private func perform(_ signals: StopSignals) async throws {
        let archive = Archive(folder: try folder.resolve(creating: true))
        folder.limit(archive)
        let words = try ImportWords(words)
        if let home = home(in: words) { return try await importHome(home, archive, signals) }
        let answer = ImportAnswer(format) { try StandardStream.output.write($0) }
        let report = ImportReport(isRehearsal: dryRun, output: .standardError, answer: answer)
        var search = ImportSearch(options: try options(words), report: report) { signals.number != 0 }
        for path in words.paths where signals.number == 0 { search.find(path) }
        guard signals.number == 0 else { return try search.report.endStopped() }
        announce(&search)
        guard !search.sources.isEmpty else { return try endEmpty(&search) }
        try checkZone(of: search)
        let known = try known(in: archive)
        let chosen = try ImportAccount(
            given: account, words: self.words + source.words, known: known, acceptsProposal: yes
        )
        .choose(for: search) { signals.number != 0 }
        try await store(&search, into: chosen, known: known, in: archive, signals, answer)
    }

    /// The options of reading the sources.
    func options(_ words: ImportWords) throws -> ImportOptions {
        var options = ImportOptions(
            format: try source.format(words.format), room: room, zone: try zone(), me: me, encoding: encoding)
        options.choices = try source.choices()
        return options
    }

    /// - Throws: `ValidationError` if times have no zone, and that of `TZ` is unknown.
    func checkZone(of search: ImportSearch) throws {
        guard timezone == nil, let variable = Zone.unknownVariable, zoneOfTimes(search) != nil else { return }
        throw ValidationError(
            "unknown zone in TZ: \"\(Sanitizer.line(variable))\"; give the zone of the times, as --timezone Europe/Berlin"
        )
    }

    /// Imports the sources that were found into an account.
    ///
    /// - Parameters:
    ///   - chosen: The account by its given or proposed name.
    ///   - known: The accounts of the archive and of the configuration.
    func store(
        _ search: inout ImportSearch, into chosen: AccountIdentity, known: [AccountIdentity], in archive: Archive,
        _ signals: StopSignals, _ answer: ImportAnswer? = nil
    ) async throws {
        // The archive has the name perhaps in another form of Unicode.
        let alike = known.filter { $0.name == chosen.name }
        let account = alike.first { $0.name.isExactly(chosen.name) } ?? alike.first ?? chosen
        answer?.account = account.name
        search.report.destination = ImportDestination(
            account: account.name, isNew: alike.isEmpty,
            zone: zoneOfTimes(search)?.identifier)
        let configured = try configuredNames(of: account, in: archive)
        let given = me.isEmpty ? try archive.ownNames(in: account.name, from: .command) : []
        search.setAccount(
            account, ownNames: given + configured.names, rooms: try archive.roomNames(in: account.name))
        estimate(&search)
        if !dryRun, configured.isNew {
            let writing = StoreWriting(archive: archive, account: account)
            try await writing.perform(.setOwnNames(account: account.name, configured.names, from: .configuration))
            try await writing.close()
        }
        try await store(search, into: account, in: archive, signals)
    }

    /// Imports the sources that were found.
    private func store(
        _ search: ImportSearch, into account: AccountIdentity, in archive: Archive, _ signals: StopSignals
    ) async throws {
        var run = ImportRun(options: search.options) { signals.number != 0 }
        let writing = StoreWriting(archive: archive, account: account)
        if !withoutFiles {
            run.files =
                dryRun
                ? .count
                : .store(FilesOfImport(archive: archive, account: account).store) { files in
                    try await writing.perform(.dropFiles(account: account.name, files)).dropped ?? []
                }
        }
        let (alignment, shifts) = try archive.compareImport(into: account.name, writes: !dryRun)
        var work = ImportWork(search, run: run, alignment: alignment)
        let rehearsal = dryRun ? try archive.rehearseImport(into: account.name) : nil
        let zone = zoneOfTimes(search)
        try await work.perform { batch in
            if !allowShift, let shift = try await shifts.find(in: batch.lines) {
                throw ImportError(shift, into: account.name, zone: zone)
            }
            let (lines, removed) = try await alignment.align(batch.lines, beginnings: batch.beginnings)
            let known = ImportTally(known: removed.count)
            if let rehearsal { return known + (try await rehearsal.add(lines)) }
            let requests = batch.requests(without: removed)
            guard !requests.isEmpty else { return known }
            return known + (try await writing.importLines(lines, requests: requests, isUnread: unread))
        }
        try await writing.close()
        if signals.number == 0 { try reportOwner(work, of: account, in: archive) }
        if work.report.isIncomplete || work.isUnreadable { throw ExitCode.failure }
    }

    private func endEmpty(_ search: inout ImportSearch) throws {
        search.skipUnrecognised()
        search.report.print(search.report.skippedText)
        try search.report.end(isComplete: true)
        if search.report.isIncomplete { throw ExitCode.failure }
    }

    /// Returns the accounts of the archive, and those of the configuration that have no file yet.
    func known(in archive: Archive) throws -> [AccountIdentity] {
        let stored = try archive.reading().accounts()
        // An import doesn't need a valid configuration. Without one, the names of its accounts are unknown.
        let configured = (try? folder.configuration())?.accounts.map(\.identity) ?? []
        return stored + configured.filter { account in !stored.contains { $0.name == account.name } }
    }

    /// Returns the names of the account's own person in the configuration, and whether the archive has others; those of the
    /// archive if there is no valid configuration.
    private func configuredNames(
        of account: AccountIdentity, in archive: Archive
    ) throws -> (names: [String], isNew: Bool) {
        let stored = try archive.ownNames(in: account.name, from: .configuration)
        let configured = (try? folder.configuration())?.accounts.first { $0.identity.name.isExactly(account.name) }
        guard let configured else { return (stored, false) }
        return (configured.me, configured.me != stored)
    }

    /// Returns the zone of times without one; nil if the times of all formats include their zone.
    private func zoneOfTimes(_ search: ImportSearch) -> Zone? {
        search.sources.formats.contains { $0.hasLocalTimes } ? search.options.zone : nil
    }

    private static func outputFormat(_ name: String) throws -> OutputFormat {
        if let format = OutputFormat(rawValue: name) { return format }
        let isLog = name != "jsonl" && KnownLogFormats.all.contains { $0.name == name }
        throw ValidationError(
            isLog
                ? "--format is the format of the output; for the log's format: scrollback import \(name) FILE"
                : "no output format \"\(Sanitizer.line(name))\"; use text, json, jsonl or csv")
    }

    private static func encoding(_ name: String) throws -> TextEncoding {
        guard let encoding = TextEncoding(name: name) else {
            throw ValidationError("unknown encoding \"\(Sanitizer.line(name))\"; use one of: \(TextEncoding.names)")
        }
        do {
            if !encoding.isWide { _ = try TextDecoder.of(encoding) }
        } catch {
            throw ValidationError("\(error.reason); \(MissingConverter.hint)")
        }
        return encoding
    }

    private func zone() throws -> Zone {
        try timezone.map(Zone.init(argument:)) ?? .local
    }
}

extension ImportOutput {
    /// The standard error stream, with the progress in the terminal's last line.
    static var standardError: ImportOutput {
        let line = TerminalLine()
        return ImportOutput {
            line.clear()
            StandardStream.note($0)
        } showProgress: { text in
            line.show(text(Terminal(environment: [:]).width(of: .error)))
        }
    }
}
