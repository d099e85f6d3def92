import ChatModel
import GRDB

/// The minutes of an archive that an import has lately matched messages with, so that lines that go to and fro between a few
/// minutes read each of them once.
struct StoredMinutes {
    private var minutes: [StoredOccurrences] = []
    /// Minutes that were read from the file so far.
    private(set) var reads = 0

    /// At once. A source in order has one; where its clock goes back, two.
    private static let capacity = 8
    /// The number of counts of one minute that are kept in memory.
    private let countsInMemory: Int

    init(countsInMemory: Int = OccurrenceCounts.capacity) {
        self.countsInMemory = countsInMemory
    }

    /// Whether the archive has the message, of which room and sender are those of the content.
    ///
    /// Its source's time says which it is. Where the source's clock had gone back, its order may say it instead, to messages that
    /// have no time but that of their receipt.
    mutating func has(
        _ message: ImportedMessage, as content: OccurrenceKey, _ db: Database
    ) throws -> Bool {
        let (isOfExport, occurrence) = (message.exact != nil, message.occurrence)
        let time = message.matchedTime
        let index = try index(around: time, isOfExport: isOfExport, db)
        if try minutes[index].has(content, time: time, resolution: message.resolution, occurrence: occurrence) {
            return true
        }
        guard let later = message.laterMinute, let number = occurrence.inLaterMinute else { return false }
        let place = try self.index(around: later, isOfExport: isOfExport, db)
        return try minutes[place].hasReceived(content, number: number)
    }

    var isEmpty: Bool { minutes.isEmpty }

    /// A message that has just been stored.
    mutating func note(
        _ content: OccurrenceKey, id: Int64, source: Timestamp?, resolution: TimeResolution, isReceived: Bool,
        hasRemoteID: Bool
    ) throws {
        for index in minutes.indices where !(minutes[index].isOfExport && hasRemoteID) {
            try minutes[index].note(
                content, id: id, source: source, resolution: resolution, isReceived: isReceived)
        }
    }

    /// What was read may not be as it is stored any more.
    mutating func forget() {
        minutes.removeAll(keepingCapacity: true)
    }

    /// The place of a minute, which is read where it is none of those at hand.
    private mutating func index(around time: Timestamp, isOfExport: Bool, _ db: Database) throws -> Int {
        if let known = minutes.firstIndex(where: { $0.covers(time) && $0.isOfExport == isOfExport }) {
            // The last one used is the last to go.
            if known < minutes.count - 1 { minutes.append(minutes.remove(at: known)) }
        } else {
            let read = try StoredOccurrences(
                around: time, isOfExport: isOfExport, capacity: countsInMemory, db)
            reads += 1
            if minutes.count >= Self.capacity { minutes.removeFirst() }
            minutes.append(read)
        }
        return minutes.count - 1
    }
}
