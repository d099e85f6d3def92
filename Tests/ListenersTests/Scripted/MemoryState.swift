import ChatModel
import Synchronization

/// What a store would know.
final class MemoryState: ListenerState {
    private let last: StoredReceipt?
    private let names: [String]
    private let unparsed: @Sendable (Int) -> [JournalChunk]

    init(
        last: StoredReceipt? = nil, names: [String] = [],
        unparsed: @escaping @Sendable (Int) -> [JournalChunk] = { _ in [] }
    ) {
        self.last = last
        self.names = names
        self.unparsed = unparsed
    }

    func lastReceipt() async throws -> StoredReceipt? { last }
    func knownNames(room: RoomReference, limit: Int) async throws -> [String] { Array(names.prefix(limit)) }
    func completeUntil(room: RoomReference) async throws -> Timestamp? { nil }
    func listedRooms() async throws -> [RoomReference] { [] }
    func channels() async throws -> [KnownChannel] { [] }
    func expectedRooms(kind: RoomReference.Kind) async throws -> [RoomReference] { [] }
    func namesakes() async throws -> [Namesakes] { [] }
    func partners() async throws -> [String: UserReference] { [:] }
    func workspaces() async throws -> [String: WorkspaceReference] { [:] }
    func historyStart(room: RoomReference, retriesLost: Bool) async throws -> HistoryStart? { nil }
    func lastMessages(room: RoomReference, limit: Int) async throws -> [StoredPoint] { [] }
    func firstSessionEnd() async throws -> Timestamp? { nil }
    func reachedPlace() async throws -> String? { nil }
    func unparsedChunks(limit: Int) async throws -> [JournalChunk] { unparsed(limit) }
}
