import ChatModel
import Foundation
import LogFormats
import Rendering

/// What an import tells the person who started it, on stderr.
package struct ImportReport {
    package let isRehearsal: Bool
    /// Bytes of all sources, unpacked; 0 where that can't be told.
    package var total: Int64 = 0
    /// Files and folders that could not be read.
    private(set) var troubles = 0
    /// Files that were found and have no known format, and the reason where there is one: the first of them.
    private(set) var skipped: [(file: String, reason: String?)] = []
    private var skippedCount = 0
    private let line = TerminalLine()
    private let start = ContinuousClock.now

    /// Of what may be told a thousand times.
    private static let complaintCount = 20
    /// Skipped files that are listed: a screen's worth would hide too much, and each is held in memory.
    private static let skippedShown = 1000

    package init(isRehearsal: Bool) {
        self.isRehearsal = isRehearsal
    }

    package func show(_ done: ImportRun.Done) {
        let width = Terminal(environment: [:]).width(of: .error)
        line.show(Self.progress(done, total: total, after: ContinuousClock.now - start, width: width))
    }

    /// Instead of the progress, which goes on below it.
    package func tell(_ text: String) {
        line.clear()
        StandardStream.note(text)
    }

    package func note(_ sentence: String) {
        tell(sentence + "\n")
    }

    /// What could not be read, up to a number of them; the summary tells how many more.
    mutating func complain(_ error: ImportError) {
        troubles += 1
        if troubles <= Self.complaintCount { tell("scrollback: \(error.sentence)\n") }
    }

    /// Skips a file that was found in a folder and is of no format, or of one that can't be told for sure.
    mutating func skip(_ file: ImportFile, reason: String? = nil) {
        skippedCount += 1
        if skipped.count < Self.skippedShown { skipped.append((file.shown, reason)) }
    }

    /// Whether something that was named or found is not imported.
    package var isIncomplete: Bool { troubles > 0 || !skipped.isEmpty }

    /// What was found, and as what it will be read.
    package func found(_ sources: ImportSources) -> String {
        var text = ""
        for format in KnownLogFormats.all {
            guard let (count, first) = sources.count(of: format) else { continue }
            text += "\(count == 1 ? first.shown : count.of("file")): \(format.name)\n"
        }
        return text
    }

    /// The files that are skipped, a line each, up to a number of them; empty when there is none.
    package var leftOut: String {
        guard !skipped.isEmpty else { return "" }
        let files = skipped.map { "  \($0.file)" + ($0.reason.map { ": \($0)" } ?? "") + "\n" }
        let more = skippedCount - skipped.count
        return "skipped \(skippedCount.of("file")) of no known format:\n" + files.joined()
            + (more > 0 ? "  and \(more.grouped) more\n" : "")
    }

    /// `12,000 lines, 40,000 a second, 34 %, 12 s left`
    ///
    /// - Parameter width: Cells of the terminal. What does not fit is left out: it would stay as a line of its own.
    package static func progress(_ done: ImportRun.Done, total: Int64, after elapsed: Duration, width: Int = .max)
        -> String
    {
        let seconds = max(elapsed / .seconds(1), 0.001)
        var parts = [done.lines.of(done.unit), "\(Int(Double(done.lines) / seconds).grouped) a second"]
        if total > 0, done.bytes > 0 {
            let share = min(1, Double(done.bytes) / Double(total))
            parts += ["\(Int(share * 100)) %", "\(RoughDuration(.seconds(seconds / share - seconds))) left"]
        }
        // The rate first, then the lines.
        while parts.count > 1, parts.joined(separator: ", ").count >= width {
            parts.remove(at: parts.count == 3 ? 0 : 1)
        }
        return parts.joined(separator: ", ")
    }

    /// `read 248,000 lines: 240,123 new, 2 changed, 0 known, 12 not understood, 31 records (3 new or changed)`
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
        if troubles > Self.complaintCount { text += "\(troubles.of("file")) could not be read\n" }
        return text
    }

    /// Where there are several.
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

    package func stopped(_ done: ImportRun.Done) -> String {
        let place = done.place.map { "after \($0.file):\($0.line)" } ?? "before anything was stored"
        return "stopped \(place); the same command goes on from there\n"
    }
}
