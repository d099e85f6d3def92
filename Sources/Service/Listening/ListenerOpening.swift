package import Archive
import ChatModel
import Files
package import Logging
import Reading
import Rendering
package import Replication
package import ServiceLifecycle
import Sessions
package import Settings
import Writing

/// Opens the parts of a listener: each account's file, the control socket, and its services.
package struct ListenerOpening: Sendable {
    package let archive: Archive
    package let acknowledgements: AcknowledgementWriter?
    package var metrics: MetricsServer?
    /// The HTTP server that runs beside the listener.
    package var server: (any ServiceLifecycle.Service)?
    package var systemd: SystemdSocket?
    /// The replication into a shared archive; nil if there is none.
    package var replication: ReplicationService?
    package let logger: Logger
    /// The pace of connections, which all accounts share.
    private let pace = ConnectionPace()

    package init(
        archive: Archive, acknowledgements: AcknowledgementWriter?, metrics: MetricsServer? = nil,
        server: (any ServiceLifecycle.Service)? = nil, systemd: SystemdSocket? = nil,
        replication: ReplicationService? = nil, logger: Logger
    ) {
        (self.archive, self.acknowledgements, self.metrics) = (archive, acknowledgements, metrics)
        (self.server, self.systemd, self.replication, self.logger) = (server, systemd, replication, logger)
    }

    /// The means to reload the configuration.
    package struct Reload: Sendable {
        /// Reads the configuration file.
        package let read: @Sendable () throws -> Configuration
        /// The requests to read it.
        package let requests: AsyncStream<Void>

        package init(read: @escaping @Sendable () throws -> Configuration, requests: AsyncStream<Void>) {
            self.read = read
            self.requests = requests
        }
    }

    /// Opens the accounts and returns the services to run. An account that can't be opened is logged and shown by
    /// `status`; the others run.
    ///
    /// - Parameter isStopping: Called before each account, because opening some hundred may take seconds. Returns true
    ///   to open no more; the group then closes the open ones, so it must still be run.
    /// - Throws: ``ServiceError`` if no account could be opened.
    package func open(
        _ configuration: Configuration, registry: StatusRegistry, reload: Reload? = nil,
        isStopping: () -> Bool = { false }
    ) async throws -> ServiceGroup {
        let services = await openAll(configuration.accounts, registry: registry, isStopping: isStopping)
        // A configuration with only [serve] or [shared] has no accounts.
        guard !services.isEmpty || configuration.accounts.isEmpty || isStopping() else {
            throw ServiceError(.noAccountOpened, "no account could be opened", hint: "the reasons are above")
        }
        let accounts = OpenAccounts(services)
        let answers = ControlAnswers(registry: registry, accounts: accounts)
        let control = try await ControlServer(folder: archive.folder, logger: logger) { await answers.answer($0) }
        let evictions = EvictionService(archive: archive, limits: WatchedValue(configuration.hot), logger: logger)
        let listen = ListenService(
            accounts: accounts, evictions: evictions, folder: archive.folder, systemd: systemd,
            reload: reload.map { reload in
                let change = ConfigurationReload(
                    configuration: configuration, read: reload.read, opening: self, accounts: accounts,
                    registry: registry, evictions: evictions, logger: logger)
                return (change, reload.requests)
            }, logger: logger)
        // Services stop in reverse order, so that `status` and systemd get answers until every account has left. The
        // services have names, because otherwise the logs would describe their contents.
        return group(
            (systemd.map { [.init(service: service($0, registry), serviceName: "systemd")] } ?? [])
                + [.init(service: control, serviceName: "control")]
                + (metrics.map { [.init(service: $0, serviceName: "metrics")] } ?? [])
                + (server.map { [.init(service: $0, serviceName: "serve")] } ?? [])
                + (replication.map { [.init(service: Replicating(service: $0), serviceName: "replication")] } ?? [])
                + [.init(service: listen, serviceName: "listen")])
    }

    /// Opens accounts, and logs the progress once a second.
    ///
    /// Accounts are opened one after the other: opening takes processor time more than it waits for the disk, so that
    /// 16 at a time took as long *(measured)*.
    private func openAll(
        _ accounts: [AccountConfiguration], registry: StatusRegistry, isStopping: () -> Bool
    ) async -> [AccountService] {
        var (services, logged) = ([AccountService](), ContinuousClock.now)
        for (opened, account) in accounts.enumerated() {
            if isStopping() { break }
            if logged.duration(to: .now) >= .seconds(1) {
                logged = .now
                logger.info("opening accounts", metadata: ["opened": "\(opened)", "accounts": "\(accounts.count)"])
            }
            if let service = await open(account, registry: registry) { services.append(service) }
        }
        return services
    }

    /// Opens an account. Nil when that fails, which is logged and shown by `status`.
    package func open(_ account: AccountConfiguration, registry: StatusRegistry) async -> AccountService? {
        let identity = account.identity
        for warning in account.network.allWarnings {
            logger.warning(
                "check the configuration", metadata: ["account": "\(identity.name)", "reason": "\(warning)"])
        }
        do {
            let writer = try await archive.openWriter(identity)
            registry.opened(
                identity,
                stored: .init(
                    status: { try await writer.status() }, trouble: { writer.trouble },
                    indexTrouble: { writer.indexTrouble }, answers: { await writer.answers() }))
            let meter = registry.meter(of: identity)
            var listenerLogger = Logger(label: "network")
            listenerLogger[metadataKey: "account"] = "\(identity.name)"
            let listened = ListenedAccount(
                folder: writer.folderPath, attachments: writer, traffic: meter?.traffic,
                tools: ListenerTools(logger: listenerLogger, pace: pace))
            return AccountService(
                account: identity,
                listener: account.network.listened.makeListener(listened),
                writer: writer,
                sink: sink(before: writer, meter: meter), registry: registry,
                me: account.me, retention: account.retention,
                plan: { [archive] rules in
                    try await onThread { try archive.reading().retention.plan(of: identity.name, rules, at: .now()) }
                }, logger: logger)
        } catch {
            logger.error("account not opened", metadata: ["account": "\(identity.name)", "error": "\(error)"])
            registry.failed(identity, error: "\(error)", at: .now())
            return nil
        }
    }

    private func service(_ systemd: SystemdSocket, _ registry: StatusRegistry) -> SystemdService {
        SystemdService(
            notify: { systemd.notify($0) }, watchdog: systemd.watchdog,
            isReady: { [folder = archive.folder] in (try? await ControlClient(folder: folder).status()) != nil },
            storesAnswer: { await registry.storesAnswer() }, summary: { registry.summary }, clock: ContinuousClock())
    }

    private func sink(before writer: AccountWriter, meter: AccountMeter?) -> any EventSink {
        let counted: any EventSink = meter.map { MeteredSink(base: writer, meter: $0) } ?? writer
        return acknowledgements.map { AcknowledgingSink(base: counted, acknowledgements: $0) } ?? counted
    }

    private func group(_ services: [ServiceGroupConfiguration.ServiceConfiguration]) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration(
            services: services, logger: Logger(label: "service"))
        configuration.maximumGracefulShutdownDuration = StopTimes.leaving
        return ServiceGroup(configuration: configuration)
    }
}

/// Replicates until the listener has left its networks, so that the last messages go too if the server is quick.
private struct Replicating: ServiceLifecycle.Service {
    let service: ReplicationService

    func run() async {
        await cancelWhenGracefulShutdown { await service.run() }
    }
}
