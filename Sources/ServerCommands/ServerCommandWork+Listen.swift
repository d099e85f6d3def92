import Archive
import Files
import FoundationEssentials
import Logging
import Rendering
import Replication
package import Scrollback
import Service
import Serving
import Sessions
import Settings

extension ServerCommandWork {
    package func listen(_ options: ListenWork) async throws {
        let search = options.search
        let (configuration, dataFolder) = try Self.load(search)
        let needs = DescriptorNeeds(configuration)
        try needs.ensure()
        let reserve = DescriptorReserve(needs.reserved)
        try ThreadNeeds(configuration).ensure()
        MemoryAllocator.returnLargeBlocks()
        let logger = Logger(label: "listener")
        let acknowledgements = try options.acknowledgements.map {
            try AcknowledgementWriter(descriptor: $0, logger: logger)
        }
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
        let metricsServer = try await Self.metricsServer(options.metrics, registry, replication, logger)
        let server = try await Self.server(configuration, dataFolder, reserve, search)
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
                let new = try Self.loadConfiguration(path, search)
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
            tasks.addTask { await options.limiter?.run() }
            defer { tasks.cancelAll() }
            try await signals.run(services)
        }
        try registry.requireAllStored()
        withExtendedLifetime(lock) {}
    }

    /// Returns the HTTP server of the configuration; nil if it has none.
    private static func server(
        _ configuration: Configuration, _ dataFolder: String, _ reserve: DescriptorReserve, _ search: FolderSearch
    ) async throws -> ArchiveServer? {
        guard let settings = configuration.serve else { return nil }
        let logger = Logger(label: "serve")
        return try await ArchiveServer(
            ServerStart(
                settings: settings, folder: dataFolder, openConnections: configuration.openConnections,
                reserve: reserve, search: search, excluded: configuration.excluded, logger: logger,
                triesAgain: true
            ) { address in
                // Keeps the secret out of the log.
                let shown = String(address.prefix { $0 != "?" })
                logger.info("serving", metadata: ["address": "\(shown)"])
            })
    }

    private static func metricsServer(
        _ address: MetricsAddress?, _ registry: StatusRegistry, _ replication: ReplicationService?, _ logger: Logger
    ) async throws -> MetricsServer? {
        guard let address else { return nil }
        return try await MetricsServer(address: address, logger: logger) { isDetailed in
            MetricsText(await registry.statuses(), replication: replication?.lags, isDetailed: isDetailed).text
        }
    }

    private static func load(_ search: FolderSearch) throws -> (Configuration, dataFolder: String) {
        let path = try search.requiredConfiguration().path
        return (try loadConfiguration(path, search), try search.dataFolder())
    }

    /// Reads the configuration. Ignores its data folder if an option or a variable gives the folder.
    private static func loadConfiguration(_ path: String, _ search: FolderSearch) throws -> Configuration {
        var configuration = try Configuration(checked: try ConfigurationFile.read(path), home: search.home)
        if search.isDataGiven { configuration.dataFolder = nil }
        return configuration
    }
}
