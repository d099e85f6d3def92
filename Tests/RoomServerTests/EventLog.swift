import Logging

/// What a server says it is doing, to wait for what clients are not told, such as their own join.
struct EventLog: LogHandler {
    let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        continuation.yield("\(event.message)")
    }

    func first(_ message: String) async {
        _ = await events.first { $0 == message }
    }
}
