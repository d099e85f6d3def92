import Archive
import Files
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Operations
import Reading
import Rendering
package import Service
import ServiceLifecycle
import Settings

/// Serves an archive over HTTP: pages for people, documents for programs.
///
/// A request passes ``BelowPath``, which removes a proxy's path, and ``Gate``, which identifies the visitor by the
/// owner's cookie or a token. Its route waits in the ``FairQueue`` for a place of the ``ReadingPool``, which reads no more
/// than the visitor may see (`ReadAccess`). `ReadLimit` ends the reading when its time is up or the client has gone.
/// ``ConnectionHandler`` counts the bytes that clients have not read (``UnsentBytes``), and closes connections that read
/// nothing. ``FeedHub`` reads and renders each change once for all followers.
package struct ArchiveServer: ServiceLifecycle.Service {
    private let start: ServerStart
    private let site: Site
    private let secret: OwnerSecret
    private let clients: Connections

    /// The time after which a connection without a request closes.
    private static let idle = TimeAmount.seconds(60)
    /// The limits of a request's headers, in bytes.
    private static let headers = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: 32 * 1024, maxHeaderListSize: 48 * 1024, maxHeaderFieldCount: 200)

    package init(_ start: ServerStart) async throws {
        self.start = start
        let source: ArchiveSource =
            if let address = start.shared {
                .shared(SharedArchive(address))
            } else {
                .folder(
                    Archive(
                        folder: start.folder, logger: start.logger, openConnections: start.openConnections,
                        reserve: start.reserve, keepsCopies: true))
            }
        secret = try await onThread { OwnerSecret(folder: start.folder) }
        clients = Connections(UnsentBytes(logger: start.logger))
        site = Site(
            source: source, folder: start.folder,
            places: PlaceNames(folder: start.folder, shared: start.shared), reserve: start.reserve,
            pool: ReadingPool(source: source), coldPool: ReadingPool(source: source.withCold, limits: .cold),
            unsent: clients.unsent, search: start.search,
            tokens: TokenBook(file: TokenFile(folder: start.folder), logger: start.logger),
            marks: MarkBook(folder: start.folder, logger: start.logger),
            feeds: FeedHubs(source: source, logger: start.logger), excluded: start.excluded, logger: start.logger)
    }

    /// Runs until graceful shutdown.
    ///
    /// - Throws: ``ServiceError`` if the address can't be bound.
    package func run() async throws {
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await site.feeds.run() }
                group.addTask { await site.pool.sweep() }
                group.addTask { await site.coldPool.sweep() }
                defer { group.cancelAll() }
                try await runServer()
            }
        } onGracefulShutdown: {
            site.feeds.end()
        }
    }

    /// The wait before an address is tried again.
    private static let retry = Duration.seconds(10)

    private func runServer() async throws {
        while true {
            do {
                return try await bindAndRun()
            } catch let error as ServiceError where start.triesAgain {
                start.logger.error("the archive is not served; retrying", metadata: ["error": "\(error)"])
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.retry) }
            }
        }
    }

    private func bindAndRun() async throws {
        do {
            try await application(start.settings.address).run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE && start.takesFreePort {
            guard case .tcp(let host, _) = start.settings.address else { throw failure(error) }
            try await application(.tcp(host: host, port: 0)).run()
        } catch let error as IOError {
            throw failure(error)
        }
    }

    private func failure(_ error: IOError) -> ServiceError {
        ServiceError(
            .address, "can't serve at \(start.settings.address): \(String(cString: strerror(error.errnoCode)))",
            hint: start.triesAgain
                ? "choose another address for \"listen\" in [serve]" : "choose another address with --listen")
    }

    /// Returns the application that binds an address. The rule for names needs the port, which the system may choose.
    private func application(_ address: ServeAddress) -> some ApplicationProtocol {
        let (port, clients) = (BoundPort(), clients)
        let router = site.router(
            Gate(settings: start.settings, port: port, secret: secret, site: site), connections: clients)
        // Hides the library's own messages about the start, because the address shows that the server runs.
        var logger = start.logger
        logger.logLevel = max(logger.logLevel, .notice)
        let connections = OpenConnections(reserve: start.reserve)
        return Application(
            responder: BelowPath(router.buildResponder(), settings: start.settings),
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [
                        RequestCounter(connections), MalformedRequestHandler(refusals: site.refusals),
                        ConnectionHandler(clients),
                    ], idleTimeout: Self.idle,
                    httpDecoderConfiguration: Self.headers)),
            configuration: ApplicationConfiguration(
                address: address.bind, availableConnectionsDelegate: connections),
            onServerRunning: { channel in
                if case .unix(let path) = address { chmod(path, 0o600) }
                port.set(channel.localAddress?.port)
                start.onReady(self.url(address, port: channel.localAddress?.port))
            }, logger: logger)
    }

    /// Returns the address to open in a browser.
    private func url(_ address: ServeAddress, port: Int?) -> String {
        switch address {
        case .unix: "\(address)"
        case .tcp(let host, let given):
            "http://\(ServeAddress.tcp(host: host, port: port ?? given))/?key=\(secret.text)"
        }
    }
}

extension ServeAddress {
    var bind: BindAddress {
        switch self {
        case .tcp(let host, let port): .hostname(host, port: port)
        case .unix(let path): .unixDomainSocket(path: path)
        }
    }
}
