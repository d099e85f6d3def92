import ChatModel
import LogFormats
import Rendering

/// The outputs of an import's report; by default it is discarded.
package struct ImportOutput: Sendable {
    let print: @Sendable (String) -> Void
    let showProgress: @Sendable (_ text: (_ width: Int) -> String) -> Void

    /// - Parameters:
    ///   - print: Prints a text in place of the progress, which continues below it.
    ///   - showProgress: Shows a line of progress. Receives a function that returns the line for a width in cells.
    package init(
        print: @escaping @Sendable (String) -> Void = { _ in },
        showProgress: @escaping @Sendable (_ text: (_ width: Int) -> String) -> Void = { _ in }
    ) {
        (self.print, self.showProgress) = (print, showProgress)
    }
}

/// The report of an import for the person who started it, and for programs.
package struct ImportReport {
    /// True if nothing is stored.
    package let isRehearsal: Bool
    /// The bytes of all sources, unpacked; 0 when unknown.
    package var total: Int64 = 0
    /// The account and the zone; nil while they are unknown.
    package var destination: ImportDestination?
    /// The number of files and folders that could not be read.
    private(set) var troubles = 0
    /// The files without a known format that no message names.
    private(set) var skipped = FileGroups()
    /// The files and folders that could not be read and are not reported yet.
    private(set) var unreported = FileGroups()
    private let output: ImportOutput
    private let answer: ImportAnswer?
    private let start = ContinuousClock.now

    /// - Parameter answer: The writer of a machine format; nil for a report for people only.
    package init(isRehearsal: Bool, output: ImportOutput = ImportOutput(), answer: ImportAnswer? = nil) {
        (self.isRehearsal, self.output, self.answer) = (isRehearsal, output, answer)
    }

    /// Shows the progress.
    package func show(_ done: ImportRun.Done) {
        output.showProgress { width in
            Self.progress(done, total: total, after: ContinuousClock.now - start, width: width)
        }
    }

    /// Prints a text in place of the progress, which continues below it.
    package func print(_ text: String) {
        output.print(text)
    }

    /// Prints a line.
    package func note(_ sentence: String) {
        print(sentence + "\n")
    }

    /// Takes a file or folder that can't be read. ``printErrors()`` reports it.
    mutating func noteError(_ error: ImportError) {
        troubles += 1
        unreported.add(error.file, reason: error.reason, hint: error.hint, code: error.codeName)
    }

    /// Takes a path in which nothing can be read.
    mutating func fail(_ error: ImportError) {
        noteError(error)
        answer?.add(ImportOutcome(path: error.file, state: .failed, reason: error.reason))
    }

    /// Skips a file found in a folder, whose format is unknown or uncertain.
    mutating func skip(_ file: ImportFile, reason: String, hint: String? = nil) {
        skipped.add(file.shown, reason: reason, hint: hint)
        answer?.add(ImportOutcome(path: file.shown, state: .skipped, reason: reason))
    }

    /// The skipped files for people, one line for each reason; empty if there are none.
    package var skippedText: String { skipped.text }

    /// Skips an empty file, which leaves the import complete.
    func skipEmpty(_ file: ImportFile) {
        answer?.add(ImportOutcome(path: file.shown, state: .skipped, reason: "empty file"))
    }

    /// Skips a file with a program's own messages, which leaves the import complete.
    func skipOwn(_ file: ImportFile, of format: String) {
        let reason = "\(format)'s own messages"
        note("\(file.shown): skipped (\(reason))")
        answer?.add(ImportOutcome(path: file.shown, state: .skipped, reason: reason))
    }

    /// Skips a file whose messages another file has with more facts, which leaves the import complete.
    func skipCopy(_ file: ImportFile, of fuller: String) {
        let reason = "\(Sanitizer.line(fuller)) has its messages"
        note("\(file.shown): skipped (\(reason))")
        answer?.add(ImportOutcome(path: file.shown, state: .skipped, reason: reason))
    }

    /// True if the outcome of each file is written.
    var hasOutcomes: Bool { answer != nil }

    func noteOutcome(_ outcome: ImportOutcome) {
        answer?.add(outcome)
    }

    /// Prints the errors that are not reported yet, one line for each reason.
    package mutating func printErrors() {
        guard unreported.count > 0 else { return }
        print(unreported.text)
        unreported = FileGroups()
    }

    /// Says at the end of the report that something is missing, if only lines further above say it.
    ///
    /// - Parameter printed: The number of files and folders whose errors were printed before the summary.
    func noteMissing(printed: Int, of done: ImportRun.Done) {
        if printed > 0 {
            note("\(printed.of(Noun("file or folder", "files or folders"))) not imported; the first lines say why")
        } else if done.isUnreadable {
            note("nothing imported: every line is invalid")
        } else if done.hasDoubtfulSource {
            note("incomplete: at least a tenth of a file's lines are invalid or doubtful")
        }
    }

    /// Ends the answer of a machine format.
    package func end(_ done: ImportRun.Done = ImportRun.Done(), isComplete: Bool) throws {
        try answer?.end(done, isRehearsal: isRehearsal, isComplete: isComplete)
    }

    /// Ends the report of a search that was stopped: nothing was stored.
    package func endStopped() throws {
        print(stopped(ImportRun.Done()))
        try end(isComplete: false)
    }

    /// True if a given or found file is not imported.
    package var isIncomplete: Bool { troubles > 0 || skipped.count > 0 }

    /// Returns lines for people: the number of files of each format.
    package func found(_ sources: ImportSources) -> String {
        var text = ""
        for format in KnownLogFormats.all {
            guard let names = sources.names(of: format) else { continue }
            text += "\(names): \(format.name)\n"
        }
        return text
    }
}

extension ImportReport {
    /// Returns a line such as `12,000 lines, 40,000 a second, 34 %, 12 s left`.
    ///
    /// - Parameter width: The terminal's width in cells. Omits parts that don't fit, because a wrapped line can't be
    ///   erased.
    package static func progress(_ done: ImportRun.Done, total: Int64, after elapsed: Duration, width: Int = .max)
        -> String
    {
        let seconds = max(elapsed / .seconds(1), 0.001)
        var parts = [done.lines.of(done.unit), "\(Int(Double(done.lines) / seconds).grouped) a second"]
        if total > 0, done.bytes > 0 {
            let share = min(1, Double(done.bytes) / Double(total))
            parts += ["\(Int(share * 100)) %", "\(RoughDuration(.seconds(seconds / share - seconds))) left"]
        }
        // Drops the rate first, and the number of lines after it.
        while parts.count > 1, parts.joined(separator: ", ").count >= width {
            parts.remove(at: parts.count == 3 ? 0 : 1)
        }
        return parts.joined(separator: ", ")
    }

    /// Returns lines for people, such as `read 248,000 lines: 240,123 new messages, 2 changed, 0 already stored, 12
    /// invalid, 31 records (3 new or changed)`.
    package func summary(_ done: ImportRun.Done) -> String {
        let tally = done.tally
        var text = "read \(done.lines.of(done.unit)): \(tally.new.of(Noun("new message", "new messages"))), "
        if tally.changed > 0 { text += "\(tally.changed.grouped) changed, " }
        text += "\(tally.known.grouped) already stored, \(tally.failed.grouped) invalid"
        if tally.expired > 0 { text += ", \(tally.expired.grouped) expired or forgotten and left out" }
        if done.undecoded.messages > 0 { text += ", \(done.undecoded.messages.grouped) undecodable" }
        if tally.records > 0 {
            text += ", \(tally.records.of("record")) (\(tally.newRecords.grouped) new or changed)"
        }
        if isRehearsal { text += "; dry run, nothing stored" }
        text += "\n" + (destination?.text(rooms: done.allRooms) ?? "")
        return text + Self.dated(done) + overlap(done) + Self.others(done) + Self.formats(done) + Self.decoded(done)
            + invalid(done) + Self.leftOut(done) + done.files.text(isRehearsal: isRehearsal) + undecoded(done)
            + doubtful(done) + cut(done)
            + done.assumptions.text + Self.unnamedOwner(done)
    }

    /// Returns a line that says what a dry run of several files of lines can't count; empty for another import.
    private func overlap(_ done: ImportRun.Done) -> String {
        let files = done.formats.values.reduce(0) { $0 + $1.files }
        guard isRehearsal, files > 1, done.unit != .message, done.tally.new > 0 else { return "" }
        return "  a message that several of these files have may count more than once\n"
    }

    /// Returns a line with the number of lines that are neither messages nor records nor invalid; empty for none.
    private static func others(_ done: ImportRun.Done) -> String {
        let tally = done.tally
        let others = done.lines - tally.new - tally.changed - tally.known - tally.failed - tally.expired - tally.records
        guard others > 0, done.unit != .message else { return "" }
        let words = others == 1 ? "continues a message, or is" : "continue a message, or are"
        return "  \(others.of(.line)) \(words) a date, a title, a note of the program or empty\n"
    }

    /// Returns a line for each format, when there are several.
    private static func formats(_ done: ImportRun.Done) -> String {
        guard done.formats.count > 1 else { return "" }
        return done.formats.sorted { $0.key < $1.key }
            .map { name, read in
                "  \(name): \(read.files.of("file")), \(read.lines.of(read.unit))\n"
            }
            .joined()
    }

    /// Returns a line for each room whose files have a date after its name, such as `  2 files with a date in the
    /// name belong to #example: #example.11-27.log, #example.11-28.log`.
    private static func dated(_ done: ImportRun.Done) -> String {
        let lines = done.dated.groups.map { group in
            let words = group.count == 1 ? "belongs to" : "belong to"
            let files = "\(group.count.of("file")) with a date in the name"
            return "  \(files) \(words) \(Sanitizer.line(group.reason)): \(group.files)\n"
        }
        let others = done.dated.others
        return lines.joined() + (others > 0 ? "  \(others.of("more file")) with a date in the name\n" : "")
    }

    /// Returns a line for each encoding other than UTF-8, such as `  2 files decoded from CP949: a.log, b.log`.
    private static func decoded(_ done: ImportRun.Done) -> String {
        done.decoded.groups.map { "  \($0.count.of("file")) decoded from \($0.reason): \($0.files)\n" }.joined()
    }

    /// Returns a line for each reason, such as `  12 lines invalid (not a valid energymech line): a.log:863`.
    private func invalid(_ done: ImportRun.Done) -> String {
        guard done.tally.failed > 0 else { return "" }
        var text = done.invalid.groups.map { group in
            "  \(group.count.of(done.unit)) invalid (\(Sanitizer.line(group.reason))): \(group.files)\n"
        }
        .joined()
        let others = done.tally.failed - done.invalid.count + done.invalid.others
        if others > 0 { text += "  \(others.grouped) more with other reasons\n" }
        let kept = "  each is kept in the account's table \"failure\"; to list them, see import.md (man scrollback)\n"
        return isRehearsal ? text : text + kept
    }

    /// Returns a line such as `  content of unknown kinds left out: todo_list (3 messages), dice (1 message)`; empty for
    /// none.
    private static func leftOut(_ done: ImportRun.Done) -> String {
        let kinds = done.unknownKinds
        guard !kinds.counts.isEmpty else { return "" }
        let named = kinds.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\(Sanitizer.line($0.key)) (\($0.value.of("message")))" }
        let others = kinds.others > 0 ? " and \(kinds.others.grouped) more" : ""
        return "  content of unknown kinds left out: \(named.joined(separator: ", "))\(others)\n"
    }

    private func undecoded(_ done: ImportRun.Done) -> String {
        guard done.undecoded.messages > 0 else { return "" }
        return """
            warning: can't decode \(done.undecoded.messages.of("message")) in \(done.undecoded.list)
              U+FFFD replaces the invalid bytes\(kept)
              if a log is in another encoding: --encoding NAME\n
            """
    }

    private func cut(_ done: ImportRun.Done) -> String {
        done.cut.groups.map {
            "warning: the archive \(isRehearsal ? "would have" : "has") only the beginning of \($0.count.of(Noun("long text", "long texts"))): \($0.files)\n"
        }
        .joined()
    }

    private static func unnamedOwner(_ done: ImportRun.Done) -> String {
        done.unnamedOwner.map { "\"\($0)\" is the phone's owner; to name them: --me NAME\n" } ?? ""
    }

    private func doubtful(_ done: ImportRun.Done) -> String {
        guard done.doubtful.messages > 0 else { return "" }
        return """
            warning: unsure of the encoding of \(done.doubtful.messages.of("message")) in \(done.doubtful.list)
              they may be in another encoding than the rest of the file\(kept)\n
            """
    }

    private var kept: String { isRehearsal ? "" : "; the original bytes are kept as raw" }

    /// Returns a line for people with the place where the import was stopped.
    ///
    /// - Parameter continues: True if the same command continues there.
    package func stopped(_ done: ImportRun.Done, continues: Bool = true) -> String {
        let place = done.place.map { "after \($0.file):\($0.line)" } ?? "before anything was stored"
        return "stopped \(place)\(continues ? "; the same command continues" : "")\n"
    }
}
