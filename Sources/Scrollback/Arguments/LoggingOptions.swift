import ArgumentParser
import Logging
import Service

/// What a command that runs for long logs, on stderr.
struct LoggingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"),
        transform: Self.level)
    var logLevel = Logger.Level.info

    @Option(help: "How to write a record; one a line.")
    var logFormat = LogRecordFormat.text

    /// Once a process.
    ///
    /// - Returns: What limits the log, to be run beside what is logged; nil where all of it is written.
    @discardableResult
    func bootstrap() -> LogLimiter? {
        let level = logLevel
        let format = logFormat
        // Whoever asks for more than info wants all of it.
        let limiter = level >= .info ? LogLimiter() : nil
        LoggingSystem.bootstrap { SafeLogHandler(label: $0, level: level, format: format, limiter: limiter) }
        return limiter
    }

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            let all = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("no log level \"\(text)\": there is \(all)")
        }
        return level
    }
}
