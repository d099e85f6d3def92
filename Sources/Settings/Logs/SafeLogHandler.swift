package import ChatModel
package import Logging
import Rendering

/// Writes each record as one line to stderr, without characters that a terminal acts upon, and within the limits of its
/// ``LogLimiter``.
package struct SafeLogHandler: LogHandler {
    /// The category: `network`, `store`, `listener`, …
    package let label: String
    package let format: LogRecordFormat
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let limiter: LogLimiter?
    private let clock: @Sendable () -> Timestamp
    private let write: @Sendable (String) -> Void

    /// - Parameter limiter: The limiter, which all handlers of a process share; nil to write everything.
    package init(
        label: String, level: Logger.Level, format: LogRecordFormat, limiter: LogLimiter? = nil,
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        write: @escaping @Sendable (String) -> Void = StandardStream.note
    ) {
        (self.label, self.format, self.limiter) = (label, format, limiter)
        logLevel = level
        self.clock = clock
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        all.merge(metadataProvider?.get() ?? [:]) { $1 }
        all.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        let verdict = limiter?.verdict(
            "\(event.message)", label: label, metadata: all, level: event.level)
        switch verdict {
        case .suppress: return
        case .write(let suppressed) where suppressed > 0: all["suppressed"] = "\(suppressed)"
        case .write, nil: break
        }
        let sorted = all.sorted { $0.key < $1.key }
        switch format {
        case .text: write(text(event, metadata: sorted) + "\n")
        case .json: write(json(event, metadata: sorted).text + "\n")
        }
    }

    /// Returns a line such as `2026-11-21T06:23:11.123456Z info listener: connected account=demo session=3`.
    private func text(_ event: LogEvent, metadata: [(key: String, value: Logger.Metadata.Value)]) -> String {
        let values = metadata.map { " \($0.key)=\(Self.quote(Self.shortened($0.value)))" }.joined()
        return Sanitizer.line("\(clock()) \(event.level) \(label): \(event.message)\(values)")
    }

    private func json(_ event: LogEvent, metadata: [(key: String, value: Logger.Metadata.Value)]) -> JSONValue {
        .object([
            "time": .string(clock().description),
            "level": .string(event.level.rawValue),
            "category": .string(label),
            "message": .string("\(event.message)"),
            "metadata": .object(metadata.map { .init(key: $0.key, value: .string(Self.shortened($0.value))) }),
        ])
    }

    /// The longest value in bytes. A peer's text or a room's name may have megabytes.
    private static let maximumBytes = 1000

    private static func shortened(_ value: Logger.Metadata.Value) -> String {
        let text = "\(value)"
        guard text.utf8.count > maximumBytes else { return text }
        return String(decoding: text.utf8.prefix(maximumBytes), as: UTF8.self) + "…"
    }

    /// Returns the value, in quotes if it has spaces, so that its end can be recognised.
    private static func quote(_ value: String) -> String {
        let needsQuotes = value.isEmpty || value.unicodeScalars.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        return needsQuotes ? "\"" + value.replacingScalar("\"", with: "\\\"") + "\"" : value
    }
}
