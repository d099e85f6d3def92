import Operations
import Options
import Rendering
import SearchText

/// The options for a regular expression that hits must match as well.
struct RegexOptions: ParsableArguments {
    @Option(.regex)
    private var patterns: [String] = []

    /// The pattern; nil if none was given.
    var regex: String? { patterns.first }

    @Option(.timeout("With --regex, --exact-letters or *part*: stop after this many seconds."))
    var timeout = 30

    func validate() throws {
        guard patterns.count < 2 else {
            throw ValidationError(
                "--regex is given \(patterns.count) times; a pattern for texts that two patterns match: "
                    + "--regex '(?s)(?=.*ONE)(?=.*TWO)'")
        }
        _ = try expression()
    }

    /// Returns the expression; nil if none was given.
    ///
    /// - Throws: ``ValidationError`` for a text that is not a regular expression.
    func expression() throws -> RegularExpression? {
        try regex.map { regex in try asUsage { try SearchOperation.expression(regex) } }
    }

    /// The report on stderr while the expression is searched.
    var report: RegexReport {
        let line = TerminalLine()
        return RegexReport(seconds: timeout) { text in text.isEmpty ? line.clear() : line.show(text) }
    }

    var given: [String] {
        (regex.map { ["--regex", $0] } ?? []) + (timeout == 30 ? [] : ["--timeout", String(timeout)])
    }
}

extension Parameter {
    /// The seconds that a search or a statement may take; at most a day.
    static func timeout(_ help: String) -> Parameter {
        Parameter("timeout", .number(1...86_400), valueName: "seconds", help)
    }
}
