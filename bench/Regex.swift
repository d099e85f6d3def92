import Foundation
import TestSupport

/// Measures `search --regex EXPRESSION --count` against `rg -c` over the same messages as a text log, for a fixed list of
/// expressions: whole processes, the fastest of some runs each, in turn.
func runRegex() async throws {
    let chat = try SampleChat()
    let load = try SearchLoad(SearchMessages(chat: chat))
    guard let against = SearchAgainstLog(load, SearchWords(chat)) else { throw BenchmarkError("needs rg") }
    let millions = Scale.choose("millions of messages", 1, long: 10)
    for count in Set([1, millions]).sorted() {
        try await load.fill(to: count * 1_000_000)
        try RegexTimes(against: against).report(count)
    }
}

/// The times of a list of expressions.
private struct RegexTimes {
    let against: SearchAgainstLog

    /// The first ones have letters that few messages contain. The others have none, or common ones.
    private static let expressions = [
        #"kern(el)? panic"#, #"segfault|segmentation fault"#, #"xorg\.conf(\.[a-z]+)?"#, #"gr[uo]b2?\b.*boot"#,
        #"apt-get (install|remove) [a-z]+"#, #"[0-9]{4}-[a-f]+"#, #"\b[0-9]{1,3}(\.[0-9]{1,3}){3}\b"#, #"^.{0,3}$"#,
        "[가-힣]{8}",
    ]

    func report(_ millions: Int) throws {
        Table.title("Counts of a regular expression in \(millions) million messages, in ms: whole processes")
        Table.columns(
            ["scrollback", "rg -c", "times rg's"],
            try Self.expressions.map { expression in
                let (own, other) = try fastest(expression)
                let figures = [own, other, own / other].map { String(format: "%.1f", $0) }
                return (expression, figures)
            })
    }

    /// Returns the fastest times in ms.
    private func fastest(_ expression: String) throws -> (scrollback: Double, rg: Double) {
        let (program, shell) = (try Program().path, Program(path: "/bin/sh"))
        var (own, other) = (Double.infinity, Double.infinity)
        for _ in 0..<SearchAgainstLog.runs {
            // Both end with 1 if nothing matches.
            let count = "\"$0\" search --regex \"$1\" --count --timeout 3600 --data \"$2\" 2> /dev/null || true"
            let search = try shell.run(["-c", count, program, expression, against.load.sample.folder])
            let counting = "\(against.command) -c -- \"$0\" \"$1\" || true"
            let rg = try shell.run(["-c", counting, expression, against.load.log])
            own = min(own, search.wall / .milliseconds(1))
            other = min(other, rg.wall / .milliseconds(1))
        }
        return (own, other)
    }
}
