package import ChatModel

/// The one writing connection of an account.
package final class AccountWriter: EventSink, ListenerState {
    package func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] { [] }
    package func lastReceipt() async throws -> Timestamp? { nil }
    package func knownNames(room: RoomReference, limit: Int) async throws -> [String] { [] }
    package func unparsedChunks(limit: Int) async throws -> [JournalChunk] { [] }
    /// What the file tells of the account, through the writer's own connection.
    package func status() async throws -> AccountStatus {
        throw ArchiveError(code: .noArchive, detail: "not built yet")
    }
    /// Why the store can't take events at present, for people; nil when it can.
    package var trouble: String? { nil }
    /// Commits nothing more, checkpoints, lets go of the locks.
    package func close() async throws {}
}
