import ChatModel
import Foundation
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

/// The report of an import for the person who started it.
package struct ImportReport {
    /// True if nothing is stored.
    package let isRehearsal: Bool
    /// The bytes of all sources, unpacked; 0 when unknown.
    package var total: Int64 = 0
    /// The number of files and folders that could not be read.
    private(set) var troubles = 0
    /// The first files that have no known format, with the reason if there is one.
    private(set) var skipped: [(file: String, reason: String?)] = []
    private var skippedCount = 0
    private let output: ImportOutput
    private let start = ContinuousClock.now

    /// The limit of unreadable files that are reported one by one.
    private static let singlyReported = 20
    /// The limit of skipped files that are listed. A screenful would hide too many, and each one takes memory.
    private static let skippedShown = 1000

    package init(isRehearsal: Bool, output: ImportOutput = ImportOutput()) {
        (self.isRehearsal, self.output) = (isRehearsal, output)
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

    /// Reports a file that can't be read. After ``singlyReported`` files, only the summary counts them.
    mutating func reportUnreadable(_ error: ImportError) {
        troubles += 1
        if troubles <= Self.singlyReported { print("scrollback: \(error.sentence)\n") }
    }

    /// Skips a file found in a folder, whose format is unknown or uncertain.
    mutating func skip(_ file: ImportFile, reason: String? = nil) {
        skippedCount += 1
        if skipped.count < Self.skippedShown { skipped.append((file.shown, reason)) }
    }

    /// True if a given or found file is not imported.
    package var isIncomplete: Bool { troubles > 0 || !skipped.isEmpty }

    /// Returns lines for people: the number of files of each format.
    package func found(_ sources: ImportSources) -> String {
        var text = ""
        for format in KnownLogFormats.all {
            guard let (count, first) = sources.count(of: format) else { continue }
            text += "\(count == 1 ? first.shown : count.of("file")): \(format.name)\n"
        }
        return text
    }

    /// The skipped files, one a line, up to a number of them; empty if there are none.
    package var skippedFiles: String {
        guard !skipped.isEmpty else { return "" }
        let files = skipped.map { "  \($0.file)" + ($0.reason.map { ": \($0)" } ?? "") + "\n" }
        let more = skippedCount - skipped.count
        return "skipped \(skippedCount.of("file")) of no known format:\n" + files.joined()
            + (more > 0 ? "  and \(more.grouped) more\n" : "")
    }

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

    /// Returns lines for people, such as `read 248,000 lines: 240,123 new, 2 changed, 0 known, 12 not understood, 31
    /// records (3 new or changed)`.
    package func summary(_ done: ImportRun.Done) -> String {
        let tally = done.tally
        var text = "read \(done.lines.of(done.unit)): \(tally.new.grouped) new, "
        if tally.changed > 0 { text += "\(tally.changed.grouped) changed, " }
        text += "\(tally.known.grouped) known, \(tally.failed.grouped) not understood"
        if done.undecoded.messages > 0 { text += ", \(done.undecoded.messages.grouped) not UTF-8" }
        if tally.records > 0 {
            text += ", \(tally.records.of("record")) (\(tally.newRecords.grouped) new or changed)"
        }
        if isRehearsal { text += "; nothing was stored" }
        text += "\n" + Self.formats(done) + failures(done) + undecoded(done) + Self.assumptions(done)
        if troubles > Self.singlyReported { text += "\(troubles.of("file")) could not be read\n" }
        return text
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

    private func failures(_ done: ImportRun.Done) -> String {
        guard done.tally.failed > 0 else { return "" }
        var text = done.examples.map { "  \(Sanitizer.line($0))\n" }.joined()
        if done.tally.failed > done.examples.count {
            text += "  and \((done.tally.failed - done.examples.count).grouped) more\n"
        }
        return isRehearsal ? text : text + "  (kept in the table \"failure\", as docs/import.md shows)\n"
    }

    private func undecoded(_ done: ImportRun.Done) -> String {
        let (messages, files, examples) = (done.undecoded.messages, done.undecoded.files, done.undecoded.examples)
        guard let first = examples.first else { return "" }
        var text =
            "warning: \(messages.of("message")) of \(files.of("file")) \(messages == 1 ? "is" : "are") not UTF-8:\n"
        text += examples.map { "  \($0.file): \($0.messages.grouped)\n" }.joined()
        if files > examples.count { text += "  and \((files - examples.count).of("more file"))\n" }
        let kept = "U+FFFD stands for the bytes that can't be read"
        text += "  \(kept)\(isRehearsal ? "" : "; the lines' own bytes are kept as raw")\n"
        return text + "  to import readable text, convert the file before it is imported: "
            + "iconv -f CP949 -t UTF-8 \(first.file) > utf-8.log\n"
    }

    private static func assumptions(_ done: ImportRun.Done) -> String {
        let (sources, examples) = done.assumptions
        guard sources > 0 else { return "" }
        var text = "assumed:\n" + examples.map { "  \(Sanitizer.line($0))\n" }.joined()
        if sources > ImportRun.assumptionCount {
            text += "  and of \((sources - ImportRun.assumptionCount).of("more file"))\n"
        }
        return text
    }

    /// Returns a line for people with the place where the import was stopped.
    package func stopped(_ done: ImportRun.Done) -> String {
        let place = done.place.map { "after \($0.file):\($0.line)" } ?? "before anything was stored"
        return "stopped \(place); the same command goes on from there\n"
    }
}
