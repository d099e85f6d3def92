import Archive
import ChatModel
import Foundation
import Logging
import Operations
import Service

/// The parts that all routes share: the archive, and the facts of the service.
struct Site: Sendable {
    let source: ArchiveSource
    /// The folder of the keys and tokens; for a data folder, that folder.
    let folder: String
    let pool: ReadingPool
    let recent = RecentAnswers()
    let search: FolderSearch
    let tokens: TokenBook
    let feeds: FeedHubs
    /// The rooms that assistants do not see.
    let excluded: [RoomPattern]
    let logger: Logger

    /// Reads the archive as a visitor sees it.
    ///
    /// - Parameters:
    ///   - cold: True to include compressed accounts, from copies that are removed afterwards.
    ///   - keepsOpen: True to leave the accounts open for the next requests.
    func read<Result: Sendable>(
        as visitor: Visitor, cold: Bool = false, keepsOpen: Bool = true,
        _ body: @Sendable (ArchiveReading) async throws -> Result
    ) async throws -> Result {
        try await pool.read { reading in
            var reading = reading
            if cold || !keepsOpen { reading = source.reading(cold: cold) }
            return try await body(reading.restricted(to: visitor.access))
        }
    }

    /// Returns the clock, and the zone for times without one.
    func context(zone: TimeZone = .current) -> OperationContext {
        guard case .folder = source else { return OperationContext(zone: zone) }
        let (search, folder) = (search, folder)
        return OperationContext(
            zone: zone,
            configuration: { try await ConfiguredAccounts(search, $0).has },
            listenerStatus: { try await ControlClient(folder: folder).status() })
    }

    func context(utc: Bool) -> OperationContext { context(zone: utc ? .gmt : .current) }
}
