import Logging
import Options
import Settings

/// The options for the log of a long-running command, which goes to stderr.
struct LoggingOptions: ParsableArguments {
    @Option(
        "log-level", help: "The lowest level to log: trace, debug, info, notice, warning, error, critical.",
        valueName: "level", transform: Self.level)
    var logLevel = Logger.Level.info

    @Option("log-format", help: "The format of log lines.")
    var logFormat = LogRecordFormat.text

    /// Sets up the log. Call it once a process.
    ///
    /// - Returns: The limiter to run beside the command; nil if all messages are written.
    @discardableResult
    func bootstrap() -> LogLimiter? {
        let level = logLevel
        let format = logFormat
        // A level below info requests all messages, so there is no limit.
        let limiter = level >= .info ? LogLimiter() : nil
        LoggingSystem.bootstrap { SafeLogHandler(label: $0, level: level, format: format, limiter: limiter) }
        return limiter
    }

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            let all = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("no log level \"\(text)\"; levels: \(all)")
        }
        return level
    }
}
