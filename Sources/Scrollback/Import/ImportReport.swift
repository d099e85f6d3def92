import ChatModel
import Foundation
import LogFormats

/// What an import tells the person who started it, on stderr.
struct ImportReport {
    let isRehearsal: Bool
    /// Bytes of all sources, unpacked; 0 where that can't be told.
    var total: Int64 = 0
    /// Files and folders that could not be read.
    private(set) var troubles = 0
    private var passedOver: (count: Int, examples: [String]) = (0, [])
    private let line = TerminalLine()
    private let start = ContinuousClock.now

    /// Of what may be told a thousand times.
    private static let complaintCount = 20
    private static let passedOverCount = 3

    init(isRehearsal: Bool) {
        self.isRehearsal = isRehearsal
    }

    func show(_ done: ImportRun.Done) {
        let width = Terminal(environment: [:]).width(of: .error)
        line.show(Self.progress(done, total: total, after: ContinuousClock.now - start, width: width))
    }

    /// Instead of the progress, which goes on below it.
    func tell(_ text: String) {
        line.clear()
        StandardStream.note(text)
    }

    func note(_ sentence: String) {
        tell(sentence + "\n")
    }

    /// What could not be read, up to a number of them; the summary tells how many more.
    mutating func complain(_ error: CommandError) {
        troubles += 1
        if troubles <= Self.complaintCount { tell("scrollback: \(error.told)\n") }
    }

    /// A file that was found in a folder and is of no format.
    mutating func passOver(_ file: ImportFile) {
        passedOver.count += 1
        if passedOver.count <= Self.passedOverCount { passedOver.examples.append(file.shown) }
    }

    /// What was found, and as what it will be read.
    func found(_ sources: [ImportSource]) -> String {
        var text = ""
        for format in KnownLogFormats.all {
            let own = sources.filter { $0.format.name == format.name }
            guard let first = own.first else { continue }
            text += "\(own.count == 1 ? first.shown : own.count.of("file")): \(format.name)\n"
        }
        return text
    }

    /// `12 files passed over: a.jpg, b.jpg, c.jpg and 9 more`; empty when there is none.
    var leftOut: String {
        let (count, examples) = passedOver
        guard count > 0 else { return "" }
        let more = count > examples.count ? " and \((count - examples.count).grouped) more" : ""
        return
            "\(count.of("file")) passed over: \(examples.joined(separator: ", "))\(more)\n"
    }

    /// `12,000 lines, 40,000 a second, 34 %, 12 s left`
    ///
    /// - Parameter width: Cells of the terminal. What does not fit is left out: it would stay as a line of its own.
    static func progress(_ done: ImportRun.Done, total: Int64, after elapsed: Duration, width: Int = .max) -> String {
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
    func summary(_ done: ImportRun.Done) -> String {
        let tally = done.tally
        var text = "read \(done.lines.of(done.unit)): \(tally.new.grouped) new, "
        if tally.changed > 0 { text += "\(tally.changed.grouped) changed, " }
        text += "\(tally.known.grouped) known, \(tally.failed.grouped) not understood"
        if tally.records > 0 {
            text += ", \(tally.records.of("record")) (\(tally.newRecords.grouped) new or changed)"
        }
        if isRehearsal { text += "; nothing was stored" }
        text += "\n" + Self.formats(done) + failures(done) + Self.assumptions(done)
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

    private static func assumptions(_ done: ImportRun.Done) -> String {
        let (sources, examples) = done.assumptions
        guard sources > 0 else { return "" }
        var text = "assumed:\n" + examples.map { "  \(Sanitizer.line($0))\n" }.joined()
        if sources > ImportRun.assumptionCount {
            text += "  and of \((sources - ImportRun.assumptionCount).of("more file"))\n"
        }
        return text
    }

    func stopped(_ done: ImportRun.Done) -> String {
        let place = done.place.map { "after \($0.file):\($0.line)" } ?? "before anything was stored"
        return "stopped \(place); the same command goes on from there\n"
    }
}

extension Int {
    /// `248,000`
    var grouped: String {
        let digits = Array(String(magnitude))
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// `1 line`, `248,000 lines`
    func of(_ thing: String) -> String {
        of(Noun(thing, thing + "s"))
    }

    func of(_ noun: Noun) -> String {
        "\(grouped) \(self == 1 ? noun.singular : noun.plural)"
    }
}

/// What is counted, of one and of any other number.
struct Noun: Sendable, Hashable {
    let singular: String
    let plural: String

    init(_ singular: String, _ plural: String) {
        (self.singular, self.plural) = (singular, plural)
    }

    static let line = Noun("line", "lines")
    static let message = Noun("message", "messages")
    /// Lines and messages together.
    static let entry = Noun("entry", "entries")
}
