import ChatModel
import Foundation

/// What an import tells the person who started it, on stderr.
struct ImportReport {
    let isRehearsal: Bool
    /// Bytes of all sources; 0 where that can't be told.
    let total: Int64
    private let isShown = StandardStream.error.isTerminal
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    /// Between two looks at the progress.
    private static let interval = Duration.milliseconds(200)

    init(isRehearsal: Bool, total: Int64) {
        self.isRehearsal = isRehearsal
        self.total = total
    }

    /// Rewrites a terminal's last line; nowhere else.
    mutating func show(_ done: ImportRun.Done) {
        let now = ContinuousClock.now
        guard isShown, last.map({ now - $0 > Self.interval }) ?? true else { return }
        last = now
        StandardStream.note("\r\u{1B}[K" + Self.progress(done, total: total, after: now - start))
    }

    /// To the line's beginning, and erases it.
    func clear() {
        if isShown { StandardStream.note("\r\u{1B}[K") }
    }

    /// `12,000 lines, 40,000 a second, 34 %, 12 s left`
    static func progress(_ done: ImportRun.Done, total: Int64, after elapsed: Duration) -> String {
        let seconds = max(elapsed / .seconds(1), 0.001)
        var parts = ["\(done.lines.grouped) lines", "\(Int(Double(done.lines) / seconds).grouped) a second"]
        if total > 0, done.bytes > 0 {
            let share = min(1, Double(done.bytes) / Double(total))
            parts += ["\(Int(share * 100)) %", "\(RoughDuration(.seconds(seconds / share - seconds))) left"]
        }
        return parts.joined(separator: ", ")
    }

    /// `read 248,000 lines: 240,123 new, 2 changed, 0 known, 12 not understood`
    func summary(_ done: ImportRun.Done) -> String {
        let tally = done.tally
        var text = "read \(done.lines.grouped) lines: \(tally.new.grouped) new, "
        if tally.changed > 0 { text += "\(tally.changed.grouped) changed, " }
        text += "\(tally.known.grouped) known, \(tally.failed.grouped) not understood"
        if isRehearsal { text += "; nothing was stored" }
        text += "\n"
        guard tally.failed > 0 else { return text }
        for example in done.examples { text += "  \(Sanitizer.line(example))\n" }
        if tally.failed > done.examples.count {
            text += "  and \((tally.failed - done.examples.count).grouped) more\n"
        }
        return isRehearsal ? text : text + "  (kept in the table \"failure\", as docs/import.md shows)\n"
    }

    func stopped(_ done: ImportRun.Done) -> String {
        let place = done.place.map { "after \($0.source):\($0.line)" } ?? "before anything was stored"
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
}
