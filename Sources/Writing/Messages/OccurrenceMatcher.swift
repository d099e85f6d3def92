import ChatModel
import SQLite

/// Matches imported and replayed messages with the stored ones.
///
/// Keeps the minutes that an import or a replay uses, because reading a minute with many messages takes seconds. The
/// caller must note every message that it stores or changes meanwhile.
package struct OccurrenceMatcher {
    /// The stored messages at the times of the import.
    package var imported = StoredOccurrences()
    /// The stored messages at the network's times of the replay; empty if the last batch had no replay.
    private var replayed = StoredOccurrences()
    private var batchesSinceImport = 0

    /// The number of batches of events that an import's minutes outlast. In a listener, batches of events come between
    /// those of an import.
    private static let rememberedBatches = 1000

    mutating func beginEvents(hasReplay: Bool) {
        batchesSinceImport += 1
        if batchesSinceImport > Self.rememberedBatches { imported.forget() }
        if !hasReplay { replayed.forget() }
    }

    package mutating func beginImport() { batchesSinceImport = 0 }

    package mutating func forgetReplayed() { replayed.forget() }

    package mutating func forget() {
        imported.forget()
        replayed.forget()
    }

    /// Returns true if the archive has at least as many messages equal to the replayed one as `occurrence` requires.
    mutating func hasReplayed(
        _ message: IncomingMessage, room: Int64, sender: Int64?, _ occurrence: Occurrence,
        _ resolution: TimeResolution, _ db: Database
    ) throws -> Bool {
        let content = OccurrenceKey(room: room, sender: sender, kind: message.kind, body: message.body)
        return try replayed.has(
            [content], time: message.plausibleTime, resolution: resolution, occurrence: occurrence, .networkTimed, db)
    }

    /// Notes a message that was just stored, so that later lines of an import or a replay can match it.
    ///
    /// - Parameter isReceived: True if the message has only our time of receipt.
    mutating func noteStored(
        _ message: IncomingMessage, as id: Int64, room: Int64, sender: Int64?, isReceived: Bool
    ) throws {
        try imported.noteStored(message, as: id, room: room, sender: sender, isReceived: isReceived)
        try replayed.noteStored(message, as: id, room: room, sender: sender, isReceived: isReceived)
    }

    /// Notes that a message is about to get the network's id.
    mutating func noteID(of message: StoredMessage) throws {
        if !imported.isEmpty { try imported.noteID(of: message) }
    }

    /// Notes that a message is about to get an earlier version.
    mutating func noteEarlier(_ body: String?, of message: StoredMessage, _ db: Database) throws {
        replayed.forget()
        if !imported.isEmpty, try !message.everHadBody(body, db) { try imported.noteEarlier(body, of: message) }
    }

    /// Notes that a message is about to get another text.
    mutating func noteChange(of message: StoredMessage, to body: String?, _ db: Database) throws {
        guard !imported.isEmpty else { return }
        try imported.noteChange(of: message, to: body, isNew: try !message.everHadBody(body, db))
    }
}
