import Logging
import Synchronization

/// The lines of a log, with their metadata.
final class LogLines: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock(\.self) }
    var logger: Logger { Logger(label: "test") { _ in self } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .info }
        set {}
    }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
}
