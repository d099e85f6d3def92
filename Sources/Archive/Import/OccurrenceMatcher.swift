import ChatModel
import GRDB

/// Matches imported and replayed messages with the stored ones.
///
/// Keeps the minutes that an import or a replay is using, because reading a minute of many messages takes seconds.
/// Every message that is stored or changed meanwhile must be noted.
struct OccurrenceMatcher {
    /// Stored messages at the times that are being imported.
    var imported = StoredOccurrences()
    /// Stored messages at the network's times that are being replayed; empty if the last batch had no replay.
    private var replayed = StoredOccurrences()
    private var batchesSinceImport = 0

    /// The batches of events for which an import's minutes are kept. In a listener, an import waits for some batches of
    /// events between two of its own.
    private static let rememberedBatches = 1000

    mutating func beginEvents(hasReplay: Bool) {
        batchesSinceImport += 1
        if batchesSinceImport > Self.rememberedBatches { imported.forget() }
        if !hasReplay { replayed.forget() }
    }

    mutating func beginImport() { batchesSinceImport = 0 }

    mutating func forgetReplayed() { replayed.forget() }

    mutating func forget() {
        imported.forget()
        replayed.forget()
    }

    /// Returns true when the archive has at least as many messages like the replayed one as its occurrence number.
    mutating func hasReplayed(
        _ message: IncomingMessage, room: Int64, sender: Int64?, _ occurrence: Occurrence,
        _ resolution: TimeResolution, _ db: Database
    ) throws -> Bool {
        let content = OccurrenceKey(room: room, sender: sender, kind: message.kind, body: message.body)
        return try replayed.has(
            content, time: message.believedTime, resolution: resolution, occurrence: occurrence, .ofNetwork, db)
    }

    /// Notes a message that has just been stored, so that the next line of an import or a replay is matched with it.
    ///
    /// - Parameter isReceived: True when only our time of receipt is known.
    mutating func noteStored(
        _ message: IncomingMessage, as id: Int64, room: Int64, sender: Int64?, isReceived: Bool
    ) throws {
        try imported.noteStored(message, as: id, room: room, sender: sender, isReceived: isReceived)
        try replayed.noteStored(message, as: id, room: room, sender: sender, isReceived: isReceived)
    }

    /// Notes that a message is about to get an earlier version.
    mutating func noteEarlier(_ body: String?, of message: StoredMessage, _ db: Database) throws {
        replayed.forget()
        if !imported.isEmpty, try !message.everSaid(body, db) { try imported.noteEarlier(body, of: message) }
    }

    /// Notes that a message is about to say something else.
    mutating func noteChange(of message: StoredMessage, to body: String?, _ db: Database) throws {
        guard !imported.isEmpty else { return }
        try imported.noteChange(of: message, to: body, isNew: try !message.everSaid(body, db))
    }
}
