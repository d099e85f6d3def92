import Archive
import ChatModel
import Files
import HTTPTypes
import Hummingbird
import Logging
import Operations
import Reading
import Settings

/// The parts that all routes share: the archive, and the facts of the service.
struct Site: Sendable {
    let source: ArchiveSource
    /// The folder of the keys and tokens; for a data folder, that folder.
    let folder: String
    /// The names of the archive's place, which are for the owner alone.
    let places: PlaceNames
    /// The descriptors that readers leave to others.
    let reserve: DescriptorReserve
    let pool: ReadingPool
    /// The one place for requests that include compressed accounts.
    let coldPool: ReadingPool
    let unsent: UnsentBytes
    let recent = RecentAnswers()
    let search: FolderSearch
    let tokens: TokenBook
    let marks: MarkBook
    let feeds: FeedHubs
    /// The rooms that assistants do not see.
    let excluded: [RoomPattern]
    let logger: Logger
    var refusals: RefusalLog { RefusalLog(logger: logger) }

    /// Reads the archive as a visitor sees it, on the thread of a place.
    ///
    /// - Parameter cold: True to include compressed accounts, from copies that are removed afterwards.
    func read<Result: Sendable>(
        as visitor: Visitor, cold: Bool = false, _ body: @escaping @Sendable (ArchiveReading) throws -> Result
    ) async throws -> Result {
        try await (cold ? coldPool : pool).perform(as: visitor.share) { reading in
            try body(shown(reading, to: visitor, cold: cold))
        }
    }

    /// Does the same for a caller that runs in a place already, as the body of ``answer(_:_:)`` does.
    ///
    /// - Parameter keepsOpen: True to leave the accounts open for the next requests.
    func readInPlace<Result>(
        as visitor: Visitor, cold: Bool = false, keepsOpen: Bool = true, _ body: (ArchiveReading) throws -> Result
    ) throws -> Result {
        try (cold ? coldPool : pool).performInPlace(as: visitor.share) { reading in
            let reading = keepsOpen ? reading : source.reading().bounded(pageBytes: ReadingPool.pageBytes)
            return try body(shown(reading, to: visitor, cold: cold))
        }
    }

    private func shown(_ reading: ArchiveReading, to visitor: Visitor, cold: Bool) -> ArchiveReading {
        if cold { ReadLimit.current?.end(in: ReadingPool.coldSeconds) }
        return reading.restricted(to: visitor.access)
    }

    /// Runs the body in a place, where its reads run, too: reading and making an answer is one turn of its sender.
    func answer<Result: Sendable>(
        _ visitor: Visitor, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await pool.perform(as: visitor.share) { _ in try body() }
    }

    /// Receives the body of a request.
    ///
    /// - Parameter limit: The limit of its bytes.
    func body(of request: Request, upTo limit: Int, from visitor: Visitor) async throws -> ByteBuffer {
        let hold = unsent.hold(
            max(0, min(limit, request.headers[.contentLength].flatMap { Int($0) } ?? limit)), of: visitor.share)
        defer { withExtendedLifetime(hold) {} }
        return try await request.body.collect(upTo: limit)
    }

    /// Returns the clock, and the zone for times without one.
    ///
    /// - Parameter isOwner: True to report the listener's errors in its own words, which may name folders and servers.
    func context(zone: Zone = .current, isOwner: Bool = false) -> OperationContext {
        let (search, folder, places) = (search, folder, places)
        guard case .folder = source else { return OperationContext(zone: zone, bots: { search.bots(of: $0) }) }
        return OperationContext(
            zone: zone,
            configuration: { try ConfiguredAccounts(search, $0).has },
            listenerStatus: {
                let statuses = try ControlClient(folder: folder).statusWaiting()
                return isOwner ? statuses : statuses?.map { $0.hiding(places) }
            },
            bots: { search.bots(of: $0) })
    }

    /// Returns all routes behind a gate.
    func router(_ gate: Gate, connections: Connections) -> Router<ServeContext> {
        let router = Router(context: ServeContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: gate)
        router.add(middleware: ConnectionRoute(connections: connections))
        APIRoutes(site: self).add(to: router)
        ChangeRoute(site: self).add(to: router)
        MCPRoute(site: self).add(to: router)
        ReadMarkRoute(site: self).add(to: router)
        FileRoute(site: self).add(to: router)
        AssetRoutes().add(to: router)
        HealthRoute(source: source).add(to: router)
        PageRoutes(site: self).add(to: router)
        EraseRoute(site: self).add(to: router)
        return router
    }

    func context(utc: Bool, isOwner: Bool = false) -> OperationContext {
        context(zone: utc ? .gmt : .current, isOwner: isOwner)
    }
}

extension AccountStatus {
    /// Returns the status without the place of the archive and the words of a shared archive's server.
    fileprivate func hiding(_ places: PlaceNames) -> AccountStatus {
        var status = self
        status.lastError = lastError.map(places.hidden(in:))
        if shared?.error != nil { status.shared?.error = Problem.unreachable }
        return status
    }
}
