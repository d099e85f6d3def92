/// Where a listener's events go. The store is one; tests have others.
package protocol EventSink: Sendable {
    /// Returns after COMMIT, with one outcome an event, in order.
    ///
    /// The whole batch is one transaction. Trouble of the disk is waited out here and throws only when the task is
    /// cancelled meanwhile; then nothing of the batch is stored.
    func append(_ batch: [ChatEvent]) async throws -> [EventOutcome]
}

/// What became of one event.
package enum EventOutcome: Sendable, Hashable {
    /// A new row: a message's id, a session's number.
    case new(Int64)
    /// It was there before, under this id; nothing changed. Of a replay without an id, this is the time that it claims.
    case known(Int64)
    /// The message with this id, which was there before, was edited or deleted, or got or lost a reaction.
    case version(Int64)
    /// It could not be stored and is kept as this row of `failure`.
    case failed(Int64)
    /// Recorded, where an event makes no row of its own.
    case done
}

/// What a listener needs to know of what is stored, to go on from there.
package protocol ListenerState: Sendable {
    /// The latest time of receipt, below which none may be given out again; nil in a new archive.
    func lastReceipt() async throws -> StoredReceipt?
    /// Names seen in the room, the latest first, at most `limit`.
    func knownNames(room: RoomReference, limit: Int) async throws -> [String]
    /// Up to when the room is complete from its first span on, which is where history has to begin; nil when nothing is.
    ///
    /// Messages that history had and nobody could read don't count: it would bring them again.
    func completeUntil(room: RoomReference) async throws -> Timestamp?
    /// Rooms of the account that were listed, and are neither left nor gone.
    func listedRooms() async throws -> [RoomReference]
    /// Every channel, whatever became of it.
    func channels() async throws -> [KnownChannel]
    /// Rooms of a kind that were heard or asked for once, and are neither left nor gone: they are missed while not heard.
    func expectedRooms(kind: RoomReference.Kind) async throws -> [RoomReference]
    /// Whom direct rooms are or were with, by the room's key.
    func partners() async throws -> [String: UserReference]
    /// From where on to ask a network for the history that is missing; nil when nothing of the room is complete.
    ///
    /// - Parameter retriesLost: Whether gaps count for which the network had no history.
    func historyStart(room: RoomReference, retriesLost: Bool) async throws -> HistoryStart?
    /// Up to when the first connection heard its network, by the network's clock where that is known; nil while no connection
    /// has ended.
    func firstSessionEnd() async throws -> Timestamp?
    /// Journalled bytes that no parsed event vouches for, oldest first, at most `limit` chunks; empty when all is parsed.
    ///
    /// A chunk that was parsed in part is given from there on.
    func unparsedChunks(limit: Int) async throws -> [JournalChunk]
}
