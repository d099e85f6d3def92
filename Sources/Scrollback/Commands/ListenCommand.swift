import Options
import Settings

struct ListenCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Connect the configured accounts and store every message, until stopped.",
        discussion: """
            EXAMPLE: scrollback listen --config scrollback.toml

            SIGTERM or SIGINT: store what was received and end with status 0 within 10 s. A second signal ends at once.
            SIGHUP: reload the configuration; unchanged accounts stay connected. On a terminal, SIGHUP ends the \
            listener.
            """)

    @OptionGroup var folder: FolderOptions

    @Option(
        "ack-fd", help: "Write the id of each stored message to this file descriptor, one a line.",
        valueName: "descriptor")
    var ackFd: Int32?

    @Option(
        "metrics",
        help:
            "Serve metrics for Prometheus at http://ADDRESS/metrics, only to this machine (for example 127.0.0.1:9187).",
        valueName: "address", transform: Self.metricsAddress)
    var metrics: MetricsAddress?

    @OptionGroup(title: "Logging") var logging: LoggingOptions

    func run() async throws {
        let work = try ServerProgram.work()
        try await work.listen(
            ListenWork(
                search: folder.search, acknowledgements: ackFd, metrics: metrics, limiter: logging.bootstrap()))
    }

    private static func metricsAddress(_ text: String) throws -> MetricsAddress {
        do {
            return try MetricsAddress(text)
        } catch let error as MetricsAddress.Invalid {
            throw ValidationError(error.description)
        }
    }
}
