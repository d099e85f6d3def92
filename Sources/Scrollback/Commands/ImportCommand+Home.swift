import Archive
import ChatModel
import Importing
import Options
import Rendering
import Settings

// The import of all logs of a home.
extension ImportCommand {
    /// Returns the home that the words name; nil for other paths.
    func home(in words: ImportWords) -> String? {
        guard words.format == nil, words.paths.count == 1, let path = words.paths.first, path != "-",
            HomeSearch.isHome(path, own: folder.search.home)
        else { return nil }
        return path
    }

    /// - Throws: `ValidationError` for options about a single account, room or file.
    func refuseForHome() throws {
        let given = [
            ("-a", account), ("--room", room), ("--columns", source.columns), ("--time-format", source.timeFormat),
            ("--network", source.network),
        ]
        guard let option = given.first(where: { $0.1 != nil })?.0 else { return }
        throw ValidationError(
            "\(option) can't be used with a home, whose logs go into several accounts and rooms; "
                + "name one of its folders: scrollback import FOLDER -a NAME")
    }

    func importHome(_ home: String, _ archive: Archive, _ signals: StopSignals) async throws {
        var search = HomeSearch(home, options: try options(ImportWords([home]))) { signals.number != 0 }
        let shown = Sanitizer.line(home)
        note("searching \(shown)")
        search.find { note("  \($0.number) \($0.text)") }
        noteLeftOut(search, shown)
        guard signals.number == 0 else { return note("stopped; nothing was imported") }
        guard !search.finds.isEmpty else {
            try write(search)
            throw ImportError(
                .importSource, shown, "no logs of chat programs found",
                hint: "if you know where they are: scrollback import FOLDER")
        }
        for find in search.finds { try checkZone(of: find.search) }
        search.proposeAccounts(among: try known(in: archive), logNetwork: Configuration.logNetwork)
        guard try await count(&search) else { return note("stopped; nothing was imported") }
        try write(search)
        guard !dryRun else { return note("dry run, nothing stored") }
        search.keep(try choose(search, home, signals))
        try await importFinds(search, archive, signals)
    }

    private func note(_ line: String) { StandardStream.note(line + "\n") }

    /// Reports what the search skipped although it may be a log.
    private func noteLeftOut(_ search: HomeSearch, _ home: String) {
        for (path, program) in search.databasesInUse {
            let command = NextCommand.line(["import", path])
            note(
                "skipped \(Sanitizer.line(path)): \(Sanitizer.line(program)) has it open; "
                    + "to import it, end that program, or: \(command)")
        }
        for (path, files, reason) in search.unread {
            note("skipped \(files.of("file")) in \(Sanitizer.line(path)) (\(Sanitizer.line(reason)))")
        }
        if search.isIncomplete {
            note("\(home) has more files than a search reads in some seconds; for the rest: scrollback import FOLDER")
        }
    }

    private func count(_ search: inout HomeSearch) async throws -> Bool {
        var reports: [Int: ImportReport] = [:]
        for find in search.finds {
            var report = ImportReport(isRehearsal: true, output: .standardError)
            report.total = find.facts.bytes
            reports[find.facts.number] = report
        }
        defer { reports.values.first?.print("") }
        return try await search.count { done, number in reports[number]?.show(done) }
    }

    /// Writes the table.
    private func write(_ search: HomeSearch) throws {
        let listing = HomeFind.Facts.listing(time: LocalTime(zone: .local))
        let width = Terminal.standardOutput.map { $0.width() }
        try StandardStream.output.write(listing.render(search.finds.map(\.facts), format: format, width: width))
    }

    /// Returns the numbers of the finds that the user wants: all of them with `--yes`.
    ///
    /// - Throws: `ValidationError` if the question can't be shown; `ExitCode` if the user wants none.
    private func choose(_ search: HomeSearch, _ home: String, _ signals: StopSignals) throws -> Set<Int> {
        let all = Set(search.finds.map(\.facts.number))
        if yes { return all }
        guard TerminalQuestion.isPossible else {
            throw ValidationError(
                "nothing was imported; to import all of it: "
                    + NextCommand.line(["import", home, "--yes"]) + "; a part of it: scrollback import FOLDER -a NAME")
        }
        while true {
            let answer = TerminalQuestion.ask("import all of these? [Y/n/numbers]") { signals.number != 0 }
            guard let answer, !["n", "no"].contains(answer.lowercased()) else {
                note("nothing was imported")
                throw ExitCode.failure
            }
            if ["", "y", "yes"].contains(answer.lowercased()) { return all }
            if let numbers = Self.numbers(answer), numbers.isSubset(of: all) { return numbers }
            note("answer with y, n, or numbers of the table such as 1,3-5")
        }
    }

    /// Returns the numbers of a text such as `1, 3-5`; nil for another text.
    static func numbers(_ text: String) -> Set<Int>? {
        var numbers: Set<Int> = []
        for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first > 0, first <= last,
                last <= maximumNumber
            else { return nil }
            numbers.formUnion(first...last)
        }
        return numbers.isEmpty ? nil : numbers
    }

    /// The limit of numbers in an answer: more than anybody has programs and accounts.
    private static let maximumNumber = 100_000

    /// Imports the finds one after the other, and continues after one that can't be imported.
    private func importFinds(_ search: HomeSearch, _ archive: Archive, _ signals: StopSignals) async throws {
        var isComplete = true
        for find in search.finds where signals.number == 0 {
            guard let account = find.facts.account else { continue }
            note("\(find.facts.number) \(find.facts.text)")
            var part = find.search
            part.report = ImportReport(isRehearsal: false, output: .standardError)
            do {
                try await store(&part, into: account, known: try known(in: archive), in: archive, signals)
            } catch is ExitCode {
                isComplete = false
            } catch let error as ImportError {
                note("scrollback: \(error.sentence)")
                isComplete = false
            }
        }
        if !isComplete { throw ExitCode.failure }
    }
}
