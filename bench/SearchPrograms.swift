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
    let words: [(name: String, word: String)]
    let rg: Tool

    private static let runs = 5

    /// Nil without `rg`.
    init?(_ load: SearchLoad, _ words: SearchWords) {
        guard let rg = Tool.find("rg") else { return nil }
        self.rg = rg
        self.load = load
        self.words = [
            ("a common word", words.latin[0]), ("a less common word", words.latin[100]),
            ("a rare word", words.rare[0]), ("another rare word", words.rare[words.rare.count / 2]),
            ("two common syllables", words.pairs[0]), ("two rare syllables", words.pairs[words.pairs.count / 2]),
        ]
    }

    /// - Returns: what is not so many times faster.
    func measure(atLeast bound: Double) throws -> [String] {
        let shell = Program(path: "/bin/sh")
        let commands: [(program: Program, arguments: (String) -> [String])] = [
            (try Program(), { ["search", $0, "-n", "20", "--utc", "--data", load.sample.folder] }),
            (shell, { ["-c", "\(rgCommand) -- \"$0\" \"$1\" | tail -n 20", $0, load.log] }),
            (shell, { ["-c", "exec \(rgCommand) -c -- \"$0\" \"$1\"", $0, load.log] }),
        ]
        var rows: [(name: String, cells: [String])] = []
        var failures: [String] = []
        for (name, word) in words {
            var times: [[Double]] = [[], [], []]
            var hits = ""
            for _ in 0..<Self.runs {
                for (index, command) in commands.enumerated() {
                    let run = try command.program.run(command.arguments(word))
                    times[index].append(run.wall / .milliseconds(1))
                    if index == 2 { hits = String(decoding: run.output.dropLast(), as: UTF8.self) }
                }
            }
            let medians = times.map { $0.sorted()[Self.runs / 2] }
            let ratio = medians[1] / medians[0]
            rows.append(
                (
                    "\(name) (\(word))",
                    [hits] + medians.map { String(format: "%.1f", $0) } + [String(format: "%.1f", ratio)]
                ))
            if ratio < bound {
                failures.append(
                    "scrollback search \(word) is \(ratio) times as fast as rg over \(load.sample.count) messages, "
                        + "not \(bound)")
            }
        }
        Table.title(
            "Whole processes over \(load.sample.count) messages, the newest 20, in ms (median of \(Self.runs), in turn)"
        )
        Table.columns(["lines", "scrollback search", "rg | tail -n 20", "rg -c", "times faster"], rows)
        return failures
    }

    /// With the libraries that were unpacked with it.
    private var rgCommand: String {
        (["env"] + rg.environment.map { "\($0)='\($1)'" } + ["'\(rg.path)'"]).joined(separator: " ")
    }
}
