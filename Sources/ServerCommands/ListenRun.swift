import Archive
import Files
import FoundationEssentials
import Logging
import Rendering
import Replication
import Scrollback
import Service
import Serving
import Sessions
import Settings

/// The run of a listener's process, from its configuration to its stop.
struct ListenRun {
    private let options: ListenWork
    private let configuration: Configuration
    private let dataFolder: String
    /// The descriptors that the listener reserves for its accounts.
    private let reserve: DescriptorReserve
    private let acknowledgements: AcknowledgementWriter?
    private let replication: ReplicationService?
    private let registry: StatusRegistry
    private let logger = Logger(label: "listener")

    /// Reads the configuration, and raises the limits of the process for it.
    init(_ options: ListenWork) throws {
        self.options = options
        let configuration = try Self.readConfiguration(
            try options.search.requiredConfiguration().path, options.search)
        let dataFolder = try options.search.dataFolder()
        (self.configuration, self.dataFolder) = (configuration, dataFolder)
        reserve = DescriptorReserve(try Self.ensureNeeds(of: configuration))
        MemoryAllocator.returnLargeBlocks()
        acknowledgements = try options.acknowledgements.map { [logger] in
            try AcknowledgementWriter(descriptor: $0, logger: logger)
        }
        let replication = configuration.shared.map { settings in
            ReplicationService(
                archive: Archive(folder: dataFolder, openConnections: configuration.openConnections),
                settings: settings, logger: Logger(label: "replication"))
        }
        self.replication = replication
        registry = StatusRegistry(accounts: configuration.accounts.map(\.identity)) { replication?.lags }
    }

    /// Listens until a signal stops the process.
    ///
    /// - Throws: The error of a start that failed, or of events that were not stored before the stop.
    func run() async throws {
        let signals = await ShutdownSignals(reloading: true) { [registry] in registry.lateness }
        let lock = try lockFolder()
        // Starts the metrics first, so that an address in use is reported before accounts are opened.
        let metrics = try await metricsServer()
        let server = try await archiveServer()
        let services = try await opening(metrics, server).open(
            configuration, registry: registry, reload: reload(at: signals.reloads)
        ) { signals.isStopping }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { [options] in await options.limiter?.run() }
            defer { tasks.cancelAll() }
            try await signals.run(services)
        }
        try registry.requireAllStored()
        withExtendedLifetime(lock) {}
    }

    private func lockFolder() throws -> DataFolderLock {
        try DataFolderAccess.create(dataFolder)
        if DataFolderAccess.isOpenToOthers(dataFolder) {
            logger.warning("other users may access the data folder", metadata: ["folder": "\(dataFolder)"])
        }
        return try DataFolderLock(folder: dataFolder)
    }

    private func metricsServer() async throws -> MetricsServer? {
        guard let address = options.metrics else { return nil }
        return try await MetricsServer(address: address, logger: logger) { [registry, replication] isDetailed in
            MetricsText(await registry.statuses(), replication: replication?.lags, isDetailed: isDetailed).text
        }
    }

    /// Returns the HTTP server of the configuration; nil if it has none.
    private func archiveServer() async throws -> ArchiveServer? {
        guard let settings = configuration.serve else { return nil }
        let logger = Logger(label: "serve")
        return try await ArchiveServer(
            ServerStart(
                settings: settings, folder: dataFolder, openConnections: configuration.openConnections,
                reserve: reserve, search: options.search, excluded: configuration.excluded, logger: logger,
                triesAgain: true
            ) { address in
                // Keeps the secret out of the log.
                let shown = String(address.prefix { $0 != "?" })
                logger.info("serving", metadata: ["address": "\(shown)"])
            })
    }

    private func opening(_ metrics: MetricsServer?, _ server: ArchiveServer?) -> ListenerOpening {
        let archive = Archive(
            folder: dataFolder, logger: Logger(label: "store"), openConnections: configuration.openConnections)
        configuration.limit(archive)
        return ListenerOpening(
            archive: archive, acknowledgements: acknowledgements, metrics: metrics, server: server,
            systemd: SystemdSocket(environment: ProcessInfo.processInfo.environment), replication: replication,
            logger: logger)
    }

    private func reload(at requests: AsyncStream<Void>) -> ListenerOpening.Reload {
        ListenerOpening.Reload(
            read: { [path = configuration.path, search = options.search, reserve] in
                let new = try Self.readConfiguration(path, search)
                reserve.change(to: try Self.ensureNeeds(of: new))
                return new
            }, requests: requests)
    }

    /// Raises the limits of the process for a configuration. Returns the number of descriptors to reserve.
    private static func ensureNeeds(of configuration: Configuration) throws -> Int {
        let needs = DescriptorNeeds(configuration)
        try needs.ensure()
        try ThreadNeeds(configuration).ensure()
        return needs.reserved
    }

    /// Reads the configuration. Ignores its data folder if an option or a variable gives the folder.
    private static func readConfiguration(_ path: String, _ search: FolderSearch) throws -> Configuration {
        var configuration = try Configuration(checked: try ConfigurationFile.read(path), home: search.home)
        if search.isDataGiven { configuration.dataFolder = nil }
        return configuration
    }
}
