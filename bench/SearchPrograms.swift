import Foundation
import TestSupport

/// `scrollback import` of logs, twice: lines a second, and what it says it did.
func measureImport(_ chat: SampleChat) throws {
    let folder = try TemporaryFolder()
    let program = Program(path: "/bin/sh")
    Table.title("scrollback import energymech, a process of its own")
    for name in ["the first time", "again"] {
        // What it has to say it says on stderr.
        let run = try program.run([
            "-c", "exec \"$0\" import energymech \"$1\" -a old --room '#ubuntu' --timezone UTC --data \"$2\" 2>&1",
            try Program().path, chat.logs.path, folder.path,
        ])
        let said = String(decoding: run.output, as: UTF8.self).split(separator: "\n").first ?? ""
        guard let lines = Int(said.split(separator: " ").dropFirst().first?.filter(\.isNumber) ?? "") else {
            throw BenchmarkError("scrollback import said: \(said)")
        }
        Table.row(name, "\(Int(Double(lines) / (run.wall / .seconds(1)))) lines a second", String(said))
    }
}

/// `scrollback search` against `rg`, which reads the same messages as a text log: the newest 20, whole processes.
struct SearchAgainstLog {
    let load: SearchLoad
    let words: [(name: String, word: String, isRare: Bool)]
    let rg: Tool

    /// The number of runs of each program. The figure is the time of the fastest run.
    static let runs = 9

    /// Nil without `rg`.
    init?(_ load: SearchLoad, _ words: SearchWords) {
        guard let rg = Tool.find("rg") else { return nil }
        self.rg = rg
        self.load = load
        self.words = [
            ("a common word", words.latin[0], false), ("a less common word", words.latin[100], false),
            ("a rare word", words.rare[0], true), ("another rare word", words.rare[words.rare.count / 2], true),
            ("two common syllables", words.pairs[0], false),
            ("two rare syllables", words.pairs[words.pairs.count / 2], false),
        ]
    }

    /// - Returns: what is not so many times faster.
    func measure(atLeast bound: Double, forRare rareBound: Double) throws -> [String] {
        let count = load.sample.count
        let results = try words.map { try compare($0.word) }
        Table.title(
            "Whole processes over \(count) messages, the newest 20, in ms: the fastest of \(Self.runs) each, in turn")
        Table.columns(
            ["lines", "scrollback search", "rg | tail -n 20", "rg -c", "times faster"],
            zip(words, results).map { words, result in
                let figures = [result.search, result.rg, result.counting, result.ratio]
                return (
                    "\(words.name) (\(words.word))", [result.lines] + figures.map { String(format: "%.1f", $0) }
                )
            })
        return zip(words, results).compactMap { words, result in
            let bound = words.isRare ? rareBound : bound
            guard result.ratio < bound else { return nil }
            let ratio = String(format: "%.1f", result.ratio)
            return
                "scrollback search \(words.word) is \(ratio) times as fast as rg over \(count) messages, not \(bound)"
        }
    }

    /// The fastest times of the programs, in milliseconds.
    struct Result {
        var lines = ""
        var search = Double.infinity
        var rg = Double.infinity
        /// What `rg` takes at least: it reads all, and writes one line.
        var counting = Double.infinity

        var ratio: Double { rg / search }
    }

    /// Runs the programs in turn, with one word.
    func compare(_ word: String) throws -> Result {
        let (scrollback, shell) = (try Program(), Program(path: "/bin/sh"))
        var result = Result()
        for _ in 0..<Self.runs {
            let search = try scrollback.run(["search", word, "-n", "20", "--utc", "--data", load.sample.folder])
            let rg = try shell.run(["-c", "\(command) -- \"$0\" \"$1\" | tail -n 20", word, load.log])
            let counting = try shell.run(["-c", "exec \(command) -c -- \"$0\" \"$1\"", word, load.log])
            result.search = min(result.search, search.wall / .milliseconds(1))
            result.rg = min(result.rg, rg.wall / .milliseconds(1))
            result.counting = min(result.counting, counting.wall / .milliseconds(1))
            result.lines = String(decoding: counting.output.dropLast(), as: UTF8.self)
        }
        return result
    }

    /// Returns the version of `rg`.
    func version() throws -> String {
        let said = try Program(path: "/bin/sh").run(["-c", "\(command) --version"]).output
        // `ripgrep 13.0.0`, and perhaps a revision
        let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count > 1 else { throw BenchmarkError("rg has no version") }
        return String(words[1])
    }

    /// `rg`, with the libraries that were unpacked with it.
    var command: String {
        let settings = rg.environment.map { "\($0)='\($1)'" }
        return ((settings.isEmpty ? [] : ["env"] + settings) + ["'\(rg.path)'"]).joined(separator: " ")
    }
}
