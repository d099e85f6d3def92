import ChatModel
import SLPWire

/// One call for a room's history from the time up to which it is complete. Its messages are stored as they come.
struct SLPFetch {
    let link: SLPLink
    let room: SLPRoom
    /// When the call was made: the answer has the messages up to then.
    let until: Timestamp

    /// The number of chats that a transaction stores, and their approximate size in memory: a chat may have 1 MiB as
    /// sent.
    private static let (batch, batchBytes) = (500, 512 * 1024)

    /// The time up to which everything is stored.
    private var position: Timestamp
    private var events: [ChatEvent] = []
    private var (count, bytes) = (0, 0)
    /// The latest time of the chats so far, in microseconds since 1970.
    private var latest: Int64?
    private var isInOrder = true

    init(link: SLPLink, room: SLPRoom, until: Timestamp) {
        (self.link, self.room, self.until) = (link, room, until)
        position = room.beginning
    }

    /// Returns when the whole history is in the buffer.
    ///
    /// - Throws: ``SLPError``; the part before it is kept, and the next fetch continues from there.
    mutating func run() async throws {
        // Nil only where that it was listed is not stored yet.
        let complete = try await link.archive.completeUntil(room: room.reference) ?? room.beginning
        position = room.fetchedUntil.map { min($0, complete) } ?? complete
        let isFirst = complete <= room.beginning
        // The position is a time of receipt, and messages are dated by the service's clock.
        let overlap = link.configuration.overlap + link.client.serverBehind + link.ahead
        let after = isFirst ? nil : position.advanced(by: .zero - overlap).microseconds
        do {
            for try await element in try await link.client.history(of: room.address, after: after) {
                if let chat = element.value, !room.has(chat) {
                    throw SLPError(code: .unexpected, detail: "what was answered is another room's")
                }
                guard !link.isTooMuch(element) else {
                    throw SLPError(code: .refused, detail: "too many of its messages can't be read")
                }
                await take(element)
            }
        } catch {
            await store(through: before(latest))
            throw error
        }
        await store(through: until)
    }

    private mutating func take(_ element: DecodedElement<SLPChat>) async {
        if let time = element.value?.createdAt.microseconds {
            if let latest, time < latest { isInOrder = false }
            latest = max(latest ?? time, time)
        }
        let new = link.events(element, in: room.reference).map { placed($0, element) }
        events += new
        count += 1
        bytes += new.approximateBytes
        // Other accounts have the same threads, and a piece of an answer may have a thousand elements.
        if count.isMultiple(of: 64) { await Task.yield() }
        // The last of the batch may have others of its own time behind it.
        if count == Self.batch || bytes >= Self.batchBytes { await store(through: before(latest)) }
    }

    /// Places a message that can't be read at its own time, or else right after the one before it.
    private func placed(_ event: ChatEvent, _ element: DecodedElement<SLPChat>) -> ChatEvent {
        guard case .unreadable(var message) = event else { return event }
        let time = SLPChat.time(ofUnreadable: element.raw)?.microseconds ?? (latest ?? position.microseconds) + 1
        message.instant = Timestamp(microseconds: min(time, until.microseconds - 1))
        return .unreadable(message)
    }

    /// - Parameter end: The time up to which all messages are among those taken; nil where that is not known.
    private mutating func store(through end: Timestamp?) async {
        if let end, end > position, isInOrder || end == until {
            events.append(.covered(session: link.session, room: room.reference, from: position, to: end))
            position = end
        }
        link.buffer.push(events)
        (events, count, bytes) = ([], 0, 0)
        await link.buffer.waitForSpace()
    }

    private func before(_ time: Int64?) -> Timestamp? {
        time.map { Timestamp(microseconds: min($0 - 1, until.microseconds)) }
    }
}
