/// The destination of a listener's events: the store, or a stand-in for tests.
package protocol EventSink: Sendable {
    /// Stores a batch in one transaction. Returns after COMMIT, with one outcome an event, in order.
    ///
    /// Waits while the disk has trouble. Throws if the task is cancelled meanwhile, or the store is closed. The batch
    /// is then not stored, except that a commit which the disk did not confirm may turn out complete.
    func append(_ batch: [ChatEvent]) async throws -> [EventOutcome]
}

/// The outcome of one event.
package enum EventOutcome: Sendable, Hashable {
    /// A new row: the id of a message, or the number of a session.
    case new(Int64)
    /// An event that was known before, with its id; nothing changed. For a replay without an id, the time that it
    /// claims.
    case known(Int64)
    /// A known message with this id was edited or deleted, or got or lost a reaction.
    case version(Int64)
    /// The event could not be stored, and is kept as this row of `failure`.
    case failed(Int64)
    /// The event was recorded without a row of its own.
    case done
}

/// The stored facts that a listener needs to continue.
package protocol ListenerState: Sendable {
    /// Returns the latest time of receipt, below which none may be used again; nil in a new archive.
    func lastReceipt() async throws -> StoredReceipt?
    /// Throws if the archive may not take more, before there is a connection.
    func requireRoom() async throws
    /// Returns names of users that a room may show, the newest users first, at most `limit`. They may include users of
    /// other rooms.
    func knownNames(room: RoomReference, limit: Int) async throws -> [String]
    /// Returns the time up to which the room is complete from its first span on, where fetching history begins; nil if
    /// nothing is complete.
    ///
    /// Messages of the history that could not be read don't count, because fetching would bring them again.
    func completeUntil(room: RoomReference) async throws -> Timestamp?
    /// Returns the listed rooms of the account, without those that were left or are gone.
    func listedRooms() async throws -> [RoomReference]
    /// Returns all channels, in any state.
    func channels() async throws -> [KnownChannel]
    /// Returns the rooms of a kind that a listener once received or requested and that are neither left nor gone. While
    /// a listener does not receive them, messages are missing.
    func expectedRooms(kind: RoomReference.Kind) async throws -> [RoomReference]
    /// Returns the partners of direct rooms, present and former, by the room's key. A partner whose key another user has
    /// taken has the key of the room.
    func partners() async throws -> [String: UserReference]
    /// Returns the rooms and people that have one name, but several keys.
    func namesakes() async throws -> [Namesakes]
    /// Returns the workspaces of rooms, by the room's key.
    func workspaces() async throws -> [String: WorkspaceReference]
    /// Returns the point from which to fetch missing history; nil if nothing of the room is complete.
    ///
    /// - Parameter retriesLost: True to include gaps for which the network had no history.
    func historyStart(room: RoomReference, retriesLost: Bool) async throws -> HistoryStart?
    /// Returns the newest messages of a room, newest first, without joins and the like, at most `limit`; empty for an
    /// unknown room.
    func lastMessages(room: RoomReference, limit: Int) async throws -> [StoredPoint]
    /// Returns those of the network's ids in a room whose messages were received, or fetched, at or before a time.
    ///
    /// - Parameter countsHistory: True to count messages that are not later by their own time, too, whenever they were
    ///   fetched.
    func receivedIDs(
        _ ids: [String], room: RoomReference, until time: Timestamp, countsHistory: Bool
    ) async throws -> Set<String>
    /// Returns the newest messages of a room that have an id and bytes of their own, newest first, among the last `limit`.
    func lastOriginals(room: RoomReference, limit: Int) async throws -> [StoredOriginal]
    /// Returns the rooms with messages of which only the ciphertext is known.
    func encryptedRooms() async throws -> [RoomReference]
    /// Returns the earliest messages of a room after a message of which only the ciphertext is known, in order of time.
    ///
    /// - Parameter areDecrypted: True for those whose text is known, too.
    func encryptedMessages(
        room: RoomReference, after: MessageID?, limit: Int, areDecrypted: Bool
    ) async throws -> [EncryptedMessage]
    /// Returns the end of the first connection, by the network's clock if that is known; nil while no connection has
    /// ended.
    func firstSessionEnd() async throws -> Timestamp?
    /// Returns the place in the network's stream that was reached last; nil if none is stored.
    func reachedPlace() async throws -> String?
    /// Returns journalled bytes that haven't been parsed, oldest first, at most `limit` chunks; empty if everything is
    /// parsed.
    ///
    /// A chunk that was partly parsed begins after that part.
    func unparsedChunks(limit: Int) async throws -> [JournalChunk]
}

extension ListenerState {
    package func requireRoom() async throws {}

    package func receivedIDs(
        _ ids: [String], room: RoomReference, until time: Timestamp, countsHistory: Bool
    ) async throws -> Set<String> { [] }

    package func lastOriginals(room: RoomReference, limit: Int) async throws -> [StoredOriginal] { [] }

    package func encryptedRooms() async throws -> [RoomReference] { [] }

    package func encryptedMessages(
        room: RoomReference, after: MessageID?, limit: Int, areDecrypted: Bool
    ) async throws -> [EncryptedMessage] { [] }
}
