import Archive
import ArgumentParser
import ChatModel
import Foundation
import Importing
import LogFormats
import Rendering
import Service

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import logs and exports of other programs; messages that are stored already are skipped.",
        usage: "scrollback import [<format>] <path> ... [-a <account>] [<options>]",
        discussion: """
            EXAMPLE: scrollback import logs/ -a old --timezone Europe/Berlin

            Formats: \(KnownLogFormats.names). The format of each file is recognised. Files may be compressed with gzip, and folders be \
            in a ZIP archive. A listener may write meanwhile. After an interruption, repeat the command: it continues.
            Exit status: 0 done, 1 a file could not be read or was skipped.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            Files, folders, ZIP archives, or - for stdin. A format's name before them skips the recognition.
            """, valueName: "path"),
        completion: .file())
    var words: [String]

    @Option(
        name: .shortAndLong,
        help: "The account to import into; a new name creates it (default: the only account).",
        completion: ArchiveNames.accountCompletion)
    var account: String?

    @Option(help: "The room (default: as the file's name or its lines say).")
    var room: String?

    @Option(help: "The zone of the log's times: Europe/Berlin, +09:00 (default: the local zone, TZ).")
    var timezone: String?

    @Flag(help: "Report what an import would do; store nothing.")
    var dryRun = false

    @OptionGroup(title: "Where") var folder: FolderOptions

    func validate() throws {
        let words = try ImportWords(words)
        if let account, account.isEmpty { throw ValidationError("an account needs a name") }
        if let room, room.isEmpty { throw ValidationError("a room needs a name") }
        if timezone != nil, let format = words.format, !format.hasLocalTimes {
            throw ValidationError("--timezone can't be used with \(format.name): its times include their zone")
        }
        _ = try zone()
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve(creating: true))
        let known = try await archive.reading().accounts()
        let name = try accountName(among: known)
        let words = try ImportWords(words)
        let options = ImportOptions(format: words.format, room: room, zone: try zone())
        var search = ImportSearch(options: options, report: ImportReport(isRehearsal: dryRun, output: .standardError))
        for path in words.paths { search.find(path) }
        let account =
            known.first { $0.name.utf8.elementsEqual(name.utf8) }
            ?? AccountIdentity(name: name, network: Self.network(search.network))
        search.setAccount(account)
        announce(&search)
        if search.sources.isEmpty { throw search.report.isIncomplete ? ExitCode.failure : ExitCode.success }
        let signals = StopSignals()
        var work = ImportWork(search, run: ImportRun(options: search.options) { signals.number != 0 })
        var writing = StoreWriting(archive: archive, account: account)
        let rehearsal = dryRun ? try await archive.rehearseImport(into: account.name) : nil
        try await signals.watched {
            try await work.perform { lines in
                if let rehearsal { return try rehearsal.add(lines) }
                return try await writing.perform(.importLines(account: account.name, lines)).imported ?? ImportTally()
            }
            try await writing.close()
        }
        if signals.number != 0 { throw ExitCode(128 + signals.number) }
        if work.report.isIncomplete { throw ExitCode.failure }
    }

    /// Reports the found sources and, on a terminal, the estimated time.
    private func announce(_ search: inout ImportSearch) {
        search.report.print(search.summary)
        if timezone != nil, !search.sources.isEmpty, !search.sources.formats.contains(where: { $0.hasLocalTimes }) {
            search.report.note("--timezone was not used: the times include their zone")
        }
        guard StandardStream.error.isTerminal else { return }
        let bytes = search.sources.size
        search.report.total = bytes
        if let text = ImportEstimate(search.sources, bytes: bytes, options: search.options)?.text {
            search.report.note(text)
        }
    }

    private func zone() throws -> TimeZone {
        guard let timezone else { return .current }
        guard let zone = TimeZone(named: timezone) else {
            throw ValidationError(
                "no time zone \"\(Sanitizer.line(timezone))\"; give one as Europe/Berlin, UTC or +09:00")
        }
        return zone
    }

    private func accountName(among known: [AccountIdentity]) throws -> String {
        if let account { return account }
        guard let only = known.first, known.count == 1 else {
            let list =
                known.isEmpty ? "" : "; existing: \(known.map { Sanitizer.line($0.name) }.joined(separator: ", "))"
            throw ValidationError("choose an account with -a NAME (a new name creates it)\(list)")
        }
        return only.name
    }

    /// Returns the network of a new account: the exported account's network if it is known here, else the network of
    /// logs.
    private static func network(_ exported: String?) -> String {
        KnownNetworks.names.first { $0 == exported } ?? Configuration.logNetwork
    }
}

extension ImportOutput {
    /// The standard error stream, with the progress in the terminal's last line.
    fileprivate static var standardError: ImportOutput {
        let line = TerminalLine()
        return ImportOutput {
            line.clear()
            StandardStream.note($0)
        } showProgress: { text in
            line.show(text(Terminal(environment: [:]).width(of: .error)))
        }
    }
}

extension TimeZone {
    /// Reads `Europe/Berlin`, `UTC` or `+09:00`.
    fileprivate init?(named name: String) {
        if let match = name.wholeMatch(of: /([+-])([0-9]{2}):?([0-9]{2})/),
            let hours = Int(match.2), let minutes = Int(match.3)
        {
            guard hours <= 18, minutes < 60 else { return nil }
            self.init(secondsFromGMT: (match.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
        } else {
            self.init(identifier: name)
        }
    }
}
