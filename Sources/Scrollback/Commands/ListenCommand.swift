import Archive
import ArgumentParser
import ChatModel
import Foundation
import Logging
import Rendering
import Replication
import Service
import ServiceLifecycle

struct ListenCommand: AsyncParsableCommand {
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
        help: ArgumentHelp(
            "Write the id of each stored message to this file descriptor, one a line.", valueName: "descriptor"))
    var ackFd: Int32?

    @Option(
        help: ArgumentHelp(
            "Serve metrics for Prometheus at http://ADDRESS/metrics, only to this machine (for example 127.0.0.1:9187).",
            valueName: "address"),
        transform: Self.metricsAddress)
    var metrics: MetricsAddress?

    @OptionGroup(title: "Logging") var logging: LoggingOptions

    func run() async throws {
        let (configuration, dataFolder) = try load()
        try ServerProgram.ensure()
        let needs = DescriptorNeeds(configuration)
        try needs.ensure()
        let reserve = DescriptorReserve(needs.reserved)
        try ThreadNeeds(configuration).ensure()
        MemoryAllocator.returnLargeBlocks()
        let limiter = logging.bootstrap()
        let logger = Logger(label: "listener")
        let acknowledgements = try ackFd.map { try AcknowledgementWriter(descriptor: $0, logger: logger) }
        let replication = configuration.shared.map { settings in
            ReplicationService(
                archive: Archive(folder: dataFolder, openConnections: configuration.openConnections),
                settings: settings, logger: Logger(label: "replication"))
        }
        let registry = StatusRegistry(accounts: configuration.accounts.map(\.identity)) { replication?.lags }
        let signals = await ShutdownSignals(reloading: true) { registry.lateness }
        try DataFolderAccess.create(dataFolder)
        if DataFolderAccess.isOpenToOthers(dataFolder) {
            logger.warning("other users may access the data folder", metadata: ["folder": "\(dataFolder)"])
        }
        let lock = try DataFolderLock(folder: dataFolder)
        // Starts the metrics first, so that an address in use is reported before accounts are opened.
        let metricsServer = try await metricsServer(registry, replication, logger)
        let server = try await server(configuration, dataFolder, reserve)
        let archive = Archive(
            folder: dataFolder, logger: Logger(label: "store"), openConnections: configuration.openConnections)
        configuration.limit(archive)
        let opening = ListenerOpening(
            archive: archive,
            acknowledgements: acknowledgements,
            metrics: metricsServer, server: server,
            systemd: SystemdSocket(environment: ProcessInfo.processInfo.environment),
            replication: replication,
            logger: logger)
        let reload = ListenerOpening.Reload(
            read: { [path = configuration.path] in
                let new = try Self.read(path, folder.search)
                let needs = DescriptorNeeds(new)
                try needs.ensure()
                try ThreadNeeds(new).ensure()
                reserve.change(to: needs.reserved)
                return new
            }, requests: signals.reloads)
        let services = try await opening.open(configuration, registry: registry, reload: reload) {
            signals.isStopping
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await limiter?.run() }
            defer { tasks.cancelAll() }
            try await signals.run(services)
        }
        try registry.requireAllStored()
        withExtendedLifetime(lock) {}
    }

    /// Returns the HTTP server of the configuration; nil if it has none.
    private func server(
        _ configuration: Configuration, _ dataFolder: String, _ reserve: DescriptorReserve
    ) async throws -> (any ServiceLifecycle.Service)? {
        guard let settings = configuration.serve else { return nil }
        let logger = Logger(label: "serve")
        return try await ServerProgram.make(
            ServerStart(
                settings: settings, folder: dataFolder, openConnections: configuration.openConnections,
                reserve: reserve, search: folder.search, excluded: configuration.excluded, logger: logger,
                triesAgain: true
            ) { address in
                // Keeps the secret out of the log.
                let shown = String(address.prefix { $0 != "?" })
                logger.info("serving", metadata: ["address": "\(shown)"])
            })
    }

    private static func metricsAddress(_ text: String) throws -> MetricsAddress {
        do {
            return try MetricsAddress(text)
        } catch let error as MetricsAddress.Invalid {
            throw ValidationError(error.description)
        }
    }

    private func metricsServer(
        _ registry: StatusRegistry, _ replication: ReplicationService?, _ logger: Logger
    ) async throws -> MetricsServer? {
        guard let metrics else { return nil }
        return try await MetricsServer(address: metrics, logger: logger) { isDetailed in
            MetricsText(await registry.statuses(), replication: replication?.lags, isDetailed: isDetailed).text
        }
    }

    private func load() throws -> (Configuration, dataFolder: String) {
        let search = folder.search
        let path = try search.requiredConfiguration().path
        return (try Self.read(path, search), try search.dataFolder())
    }

    /// Reads the configuration. Ignores its data folder if an option or a variable gives the folder.
    private static func read(_ path: String, _ search: FolderSearch) throws -> Configuration {
        var configuration = try Configuration(try ConfigurationFile.read(path), home: search.home)
        if search.isDataGiven { configuration.dataFolder = nil }
        return configuration
    }
}
