import ChatModel
import SLPWire
import Sessions

/// One call for a room's history from the time up to which it is complete. Its messages are stored as they come.
struct SLPFetch {
    let link: SLPLink
    let room: SLPRoom
    /// The time of the call. The answer has the messages up to then.
    let until: Timestamp

    /// The limits of chats in a transaction, and of their approximate size in memory, because a chat may have 1 MiB.
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

    /// Fetches the history. Returns when the whole history is in the buffer.
    ///
    /// - Throws: ``CallError``; the part before it is kept, and the next fetch continues from there.
    mutating func run() async throws {
        // Nil only if the event that lists the room is not stored yet.
        let complete = try await link.archive.completeUntil(room: room.reference) ?? room.beginning
        position = room.fetchedUntil.map { min($0, complete) } ?? complete
        let isFirst = complete <= room.beginning
        // The position is a time of receipt, but messages have times of the service's clock.
        let overlap = link.configuration.overlap + link.client.serverBehind + link.ahead
        let after = isFirst ? nil : position.advanced(by: .zero - overlap).microseconds
        do {
            for try await element in try await link.client.history(of: room.address, after: after) {
                if let chat = element.value, !room.has(chat) {
                    throw CallError(code: .unexpected, detail: "the answer belongs to another room")
                }
                guard !link.isTooMuch(element) else {
                    throw CallError(code: .refused, detail: "too many of its messages can't be read")
                }
                await add(element)
            }
        } catch {
            await store(through: before(latest))
            throw error
        }
        await store(through: until)
    }

    private mutating func add(_ element: DecodedElement<SLPChat>) async {
        if let time = element.value?.createdAt.microseconds {
            if let latest, time < latest { isInOrder = false }
            latest = max(latest ?? time, time)
        }
        let new = link.events(element, in: room.reference).map { placed($0, element) }
        events += new
        count += 1
        bytes += new.approximateBytes
        // Yields to other accounts, which share the threads, because a piece of an answer may have 1,000 elements.
        if count.isMultiple(of: 64) { await Task.yield() }
        // Further messages may have the same time as the last one of the batch.
        if count == Self.batch || bytes >= Self.batchBytes { await store(through: before(latest)) }
    }

    /// Places an unreadable message at its own time, or directly after the one before it.
    private func placed(_ event: ChatEvent, _ element: DecodedElement<SLPChat>) -> ChatEvent {
        guard case .unreadable(var message) = event else { return event }
        let time = SLPChat.time(ofUnreadable: element.raw)?.microseconds ?? (latest ?? position.microseconds) + 1
        message.instant = Timestamp(microseconds: min(time, until.microseconds - 1))
        return .unreadable(message)
    }

    /// - Parameter end: The time up to which all messages were received; nil if unknown.
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
