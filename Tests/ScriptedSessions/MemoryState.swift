package import ChatModel
import Synchronization

/// What a store would know.
package final class MemoryState: ListenerState {
    private let last: StoredReceipt?
    private let names: [String]
    private let unparsed: @Sendable (Int) -> [JournalChunk]

    package init(
        last: StoredReceipt? = nil, names: [String] = [],
        unparsed: @escaping @Sendable (Int) -> [JournalChunk] = { _ in [] }
    ) {
        self.last = last
        self.names = names
        self.unparsed = unparsed
    }

    package func lastReceipt() async throws -> StoredReceipt? { last }
    package func knownNames(room: RoomReference, limit: Int) async throws -> [String] { Array(names.prefix(limit)) }
    package func completeUntil(room: RoomReference) async throws -> Timestamp? { nil }
    package func listedRooms() async throws -> [RoomReference] { [] }
    package func channels() async throws -> [KnownChannel] { [] }
    package func expectedRooms(kind: RoomReference.Kind) async throws -> [RoomReference] { [] }
    package func namesakes() async throws -> [Namesakes] { [] }
    package func partners() async throws -> [String: UserReference] { [:] }
    package func workspaces() async throws -> [String: WorkspaceReference] { [:] }
    package func historyStart(room: RoomReference, retriesLost: Bool) async throws -> HistoryStart? { nil }
    package func lastMessages(room: RoomReference, limit: Int) async throws -> [StoredPoint] { [] }
    package func firstSessionEnd() async throws -> Timestamp? { nil }
    package func reachedPlace() async throws -> String? { nil }
    package func unparsedChunks(limit: Int) async throws -> [JournalChunk] { unparsed(limit) }
}
