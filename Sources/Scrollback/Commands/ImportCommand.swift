import Archive
import ArgumentParser
import ChatModel
import Foundation
import LogFormats

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import logs and exports: what is stored already is not stored again.",
        discussion: """
            EXAMPLE: scrollback import energymech logs/ -a old --timezone Europe/Berlin

            Formats: energymech (a file a day, with the date in its name); jsonl (what --format jsonl writes). An account \
            that is not there yet is made. A listener may go on writing. Interrupted, the same command goes on.
            Exit status: 0 fine, 1 a file could not be read.
            """)

    @Argument(
        help: "The kind of log: \(KnownLogFormats.all.map { $0.name }.joined(separator: ", ")).",
        completion: .list(KnownLogFormats.all.map { $0.name }))
    var format: String

    @Argument(help: "Files, folders of files, or - for stdin.", completion: .file())
    var paths: [String]

    @Option(
        name: .shortAndLong,
        help: "The account to import into, made if it is not there; may be left out where there is just one.",
        completion: ArchiveNames.accountCompletion)
    var account: String?

    @Option(help: "The room; else the file's name or its lines tell it.")
    var room: String?

    @Option(help: "The zone of the log's times, as Europe/Berlin or +09:00; else the local one (TZ).")
    var timezone: String?

    @Flag(help: "Say what would be done, and store nothing.")
    var dryRun = false

    @OptionGroup(title: "Where") var folder: FolderOptions

    func validate() throws {
        let format = try self.logFormat()
        if paths.isEmpty { throw ValidationError("no file given; - is stdin") }
        if let account, account.isEmpty { throw ValidationError("an account needs a name") }
        if let room, room.isEmpty { throw ValidationError("a room needs a name") }
        if timezone != nil, !format.hasLocalTimes {
            throw ValidationError("--timezone does not go with \(format.name): its times say their zone")
        }
        _ = try zone()
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve())
        let account = try await account(in: archive)
        let (sources, missing) = findSources()
        let signals = StopSignals()
        let options = ImportOptions(
            format: try logFormat(), room: room, zone: try zone(), folding: NameFolding(network: account.network))
        var work = ImportWork(
            sources: sources, run: ImportRun(options: options) { signals.number != 0 },
            report: ImportReport(isRehearsal: dryRun, total: sources.map(\.size).reduce(0, +)))
        var writing = StoreWriting(archive: archive, account: account)
        let rehearsal = dryRun ? try await archive.rehearseImport(into: account.name) : nil
        let isWhole = try await signals.watched {
            let isWhole = try await work.perform { lines in
                if let rehearsal { return try rehearsal.add(lines) }
                return try await writing.perform(.importLines(account: account.name, lines)).imported ?? ImportTally()
            }
            try await writing.close()
            return isWhole
        }
        if signals.number != 0 { throw ExitCode(128 + signals.number) }
        if !isWhole || missing { throw ExitCode.failure }
    }

    private func logFormat() throws -> any LogFormats.LogFormat.Type {
        let names = KnownLogFormats.all.map { $0.name }
        guard let found = KnownLogFormats.all.first(where: { $0.name == format }) else {
            let nearest = Nearest.to(format, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
            throw ValidationError(
                "no format \"\(Sanitizer.line(format))\"\(nearest) There is: \(names.joined(separator: ", "))")
        }
        return found
    }

    private func zone() throws -> TimeZone {
        guard let timezone else { return .current }
        guard let zone = TimeZone(named: timezone) else {
            throw ValidationError(
                "no time zone \"\(Sanitizer.line(timezone))\"; give one as Europe/Berlin, UTC or +09:00")
        }
        return zone
    }

    private func account(in archive: Archive) async throws -> AccountIdentity {
        let known = try archive.accounts()
        guard let account else {
            guard let only = known.first, known.count == 1 else {
                let list =
                    known.isEmpty ? "" : "; there is \(known.map { Sanitizer.line($0.name) }.joined(separator: ", "))"
                throw ValidationError("which account? -a NAME says it, a new one too\(list)")
            }
            return only
        }
        return known.first { $0.name.utf8.elementsEqual(account.utf8) }
            ?? AccountIdentity(name: account, network: Configuration.logNetwork)
    }

    /// One that is not there keeps no other from being imported.
    private func findSources() -> (sources: [ImportSource], isMissing: Bool) {
        var sources: [ImportSource] = []
        var isMissing = false
        for path in paths {
            do {
                sources += try ImportSource.find(path)
            } catch {
                StandardStream.note("scrollback: \(error.told)\n")
                isMissing = true
            }
        }
        return (sources, isMissing)
    }
}

extension TimeZone {
    /// `Europe/Berlin`, `UTC`, `+09:00`.
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
