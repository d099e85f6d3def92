import ChatModel
import Logging
import Sessions
import XMPPWire

/// Fetches the history that a connection is missing, one page at a time for the whole account.
struct XMPPHistory: Sendable {
    let link: XMPPLink

    var mailbox: Mailbox<XMPPSession> { link.mailbox }
    var archive: any ListenerState { link.archive }
    var buffer: EventBuffer { link.buffer }
    var configuration: XMPPConfiguration { link.configuration }
    var clock: any Clock<Duration> { link.clock }

    /// The most messages that a page may have, whatever we ask for: ejabberd's limit (23.01).
    private static let largestPage = 250

    /// True once a stop was requested: what is fetched after that would have to be stored within the time of a stop.
    private var isStopping: Bool { Task.isCancelled || mailbox.withSession { $0.isLeaving } }

    /// Fetches what is queued, and pauses after each page for at least twice as long as it took: while Prosody (0.12.3) makes
    /// one of a large archive, its users wait. So they wait for less than half of the time.
    func fetchAll() async -> SessionEnd? {
        while !isStopping {
            guard let fetch = mailbox.withSession({ $0.fetches.next() }) else {
                link.reporter.fetching(nil)
                await link.historyWork.wait(of: clock)
                continue
            }
            do {
                if let room = fetch.room { try await run(fetch, of: room) } else { try await runDirect(fetch) }
            } catch {
                guard !Task.isCancelled else { return nil }
                return SessionEnd(reason: .store, detail: "the archive can't be read: \(error)")
            }
        }
        return nil
    }

    func queue(_ fetch: XMPPFetch) {
        mailbox.withSession { $0.fetches.add(fetch) }
        link.historyWork.set()
    }

    /// Queues what is missing of a room before it became live.
    ///
    /// - Parameter retriesLost: True to look again for history that the room did not have before.
    func queueMissing(_ address: JID, retriesLost: Bool = false) {
        guard let live = mailbox.withSession({ $0.rooms[address]?.liveSince }) else { return }
        queue(XMPPFetch(room: address, end: live, retriesLost: retriesLost))
    }

    /// Requests the history of one room, or of all that are received.
    func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer {
        let end = link.now()
        let rooms = mailbox.withSession { session in
            session.rooms.values.filter {
                $0.isInside && $0.hasArchive && (room == nil || $0.reference.key == room?.key)
            }
            .map(\.address).sorted { "\($0)" < "\($1)" }
        }
        for address in rooms { queue(XMPPFetch(room: address, end: end, after: after, retriesLost: true)) }
        let isDirect = mailbox.withSession { session in
            session.ownArchive == true && (room.map { session.direct[$0.key] != nil } ?? true)
        }
        if isDirect { queue(XMPPFetch(room: nil, end: end, after: after, retriesLost: true)) }
        return .requested(rooms: rooms.count + (isDirect ? 1 : 0))
    }

    /// The time back to which history is fetched at the first contact; nil for all of it.
    var horizon: Timestamp? { configuration.horizon.map { link.now().advanced(by: .zero - $0) } }

    private func run(_ fetch: XMPPFetch, of address: JID) async throws {
        guard let room = mailbox.withSession({ $0.rooms[address] }), room.isInside, !room.isChanged else { return }
        // The events before are stored, so that the archive knows where it is complete.
        await mailbox.waitUntilStored()
        let start = try await archive.historyStart(room: room.reference, retriesLost: fetch.retriesLost)
        guard let start else { return }
        let isMissing = start.completeUntil < fetch.end
        let isFirst = start.fetchedBackTo == nil && start.archivedSince > (horizon ?? .earliestPlausible)
        guard isMissing || isFirst || fetch.after != nil else { return }
        guard room.hasArchive else { return noteWithoutArchive(room.reference, until: fetch.end) }
        let gap = fetch.after == nil && isMissing ? start.completeUntil : nil
        let place = fetch.after == nil ? start.place : nil
        var walk = XMPPWalk(
            XMPPFetch(
                room: address, end: isMissing || fetch.after != nil ? fetch.end : start.archivedSince,
                after: fetch.after,
                retriesLost: fetch.retriesLost),
            gapStart: gap, place: place, horizon: horizon, wasEmpty: start.wasEmpty(for: fetch.end))
        let isDone = try await self.walk(&walk, room.reference) { message, session in
            session.rooms[address].map { ($0.reference, $0.sender(ofArchived: message, account: session.account)) }
        }
        guard isDone else { return }
        buffer.push(walk.ending(session: link.session, room: room.reference, at: link.now()))
        guard fetch.after == nil, isMissing else { return }
        // Another gap may be after this one.
        await mailbox.waitUntilStored()
        let after = try await archive.historyStart(room: room.reference, retriesLost: fetch.retriesLost)
        if after?.completeUntil != start.completeUntil { queue(fetch) }
    }

    private func noteWithoutArchive(_ room: RoomReference, until end: Timestamp) {
        buffer.push([
            .unfilled(
                UnfilledHistory(
                    room: room, from: .earliestPlausible, to: end, reason: .unsupported,
                    detail: "the room keeps no archive (XEP-0313); on Prosody: muc_mam, on ejabberd: mod_mam and "
                        + "mam: true in default_room_options"), at: link.now())
        ])
    }

    /// Walks backwards until the walk is over.
    ///
    /// - Parameters:
    ///   - room: The room that is named in reports, and whose row keeps the place of an interrupted walk.
    ///   - parties: Returns the conversation and the sender of a message.
    /// - Returns: False if the server stopped answering or refused, so that the gap stays.
    func walk(
        _ walk: inout XMPPWalk, _ room: RoomReference, _ parties: XMPPSession.Parties
    ) async throws -> Bool {
        var progress = BackfillProgress(rooms: mailbox.withSession { $0.fetches.count } + 1)
        progress.room = room.name
        while !isStopping {
            let begun = mailbox.elapsed
            let query = ArchiveQuery(room: walk.fetch.room, before: walk.before, size: configuration.historyPage)
            let answer = await link.ask({ query.element(id: $0) }, of: walk.fetch.room, messages: Self.largestPage)
            guard !isStopping, let answer, hasArchive(walk.fetch.room) else { return false }
            if let condition = answer.element.errorCondition {
                if condition == "item-not-found", walk.restart() { continue }
                noteRefusal(answer.element, room, walk)
                return false
            }
            guard let pageEnd = ArchivePageEnd(answer.element) else { return false }
            let stored = try await storedIDs(of: answer.messages, room, walk)
            let step = walk.take(answer.messages, pageEnd, stored: stored)
            await store(step.messages, isLast: step.isOver, &walk, parties)
            if !step.isOver, walk.fetch.after == nil, let place = walk.place {
                buffer.push([.fetching(room, HistoryPlace(place: place, end: walk.end))])
            }
            progress.messages += answer.messages.count
            progress.reached = walk.oldest
            link.reporter.fetching(progress)
            await mailbox.waitForSpace()
            if step.isOver { return true }
            let pause = max(configuration.historyPause, (mailbox.elapsed - begun) * 2)
            guard (try? await clock.sleep(for: pause)) != nil else { return false }
        }
        return false
    }

    /// Returns false for a room whose archive may be off since the page was asked for: ejabberd (23.01) answers from its
    /// memory then, with other ids. The room is asked about itself, and then again for its history.
    private func hasArchive(_ room: JID?) -> Bool {
        guard let room else { return true }
        return mailbox.withSession { session in
            session.rooms[room].map { $0.hasArchive && !$0.isChanged } ?? false
        }
    }

    /// Returns the ids of a page whose messages were stored before the gap.
    private func storedIDs(
        of messages: [ArchivedMessage], _ room: RoomReference, _ walk: XMPPWalk
    ) async throws -> Set<String> {
        guard let gap = walk.gapStart else { return [] }
        if walk.fetch.room != nil {
            return try await archive.receivedIDs(messages.map(\.id), room: room, until: gap, countsHistory: false)
        }
        var found: Set<String> = []
        let rooms = mailbox.withSession { (session: inout XMPPSession) -> [String: [ArchivedMessage]] in
            Dictionary(grouping: messages) { session.parties(of: XMPPMessage($0.message))?.room.key ?? "" }
        }
        for (key, messages) in rooms where !key.isEmpty {
            let reference = RoomReference(key: key, name: key, kind: .direct)
            // A conversation is complete up to the beginning of a walk, and the walk's messages came after that.
            found.formUnion(
                try await archive.receivedIDs(messages.map(\.id), room: reference, until: gap, countsHistory: true))
        }
        return found
    }

    private func noteRefusal(_ answer: XMPPElement, _ room: RoomReference, _ walk: XMPPWalk) {
        let words = walk.fetch.room == nil ? answer.errorWords : answer.roomErrorWords
        link.listener.tools.logger.warning(
            "a room's history is incomplete", metadata: ["room": "\(room.name)", "reason": "\(words)"])
        let from = walk.gapStart ?? .earliestPlausible
        guard walk.fetch.room != nil else {
            // Every look asks again.
            let (at, rooms) = (link.now(), mailbox.withSession { $0.direct.values.sorted { $0.key < $1.key } })
            let next = at.advanced(by: configuration.directCheck)
            return buffer.push(
                rooms.map { room in
                    .unfilled(
                        UnfilledHistory(
                            room: room, from: from, to: walk.end, reason: .refused, detail: words, nextTry: next),
                        at: at)
                })
        }
        // A server that is starting or busy is asked again: ejabberd (23.01) has its SQL some time after its rooms.
        guard !answer.isTemporaryError else { return }
        buffer.push([
            .unfilled(
                UnfilledHistory(room: room, from: from, to: walk.end, reason: .refused, detail: words), at: link.now())
        ])
    }

    /// Stores messages of a page, and those of newer pages that refer to them.
    private func store(
        _ messages: [ArchivedMessage], isLast: Bool, _ walk: inout XMPPWalk, _ parties: XMPPSession.Parties
    ) async {
        let all = messages + walk.waiting
        // Of a stored message, the archive may show another key of the author.
        for message in messages.map({ XMPPMessage($0.message) })
        where message.corrected != nil || message.retraction != nil {
            await recallTarget(of: message, parties)
        }
        var (events, waiting) = mailbox.withSession { $0.events(ofArchived: all, isLast: false, parties) }
        buffer.push(events)
        if isLast, !waiting.isEmpty {
            for archived in waiting { await recallTarget(of: XMPPMessage(archived.message), parties) }
            (events, waiting) = mailbox.withSession { $0.events(ofArchived: waiting, isLast: true, parties) }
            buffer.push(events)
        }
        walk.note(oldest: messages.first?.id, waiting: waiting)
    }
}

extension HistoryStart {
    /// The shortest time for which servers keep messages: Prosody (0.12.3) counts in days, ejabberd (23.01) deletes by days.
    private static let shortestKeeping = Duration.seconds(86_400)

    /// Returns true if the archive was found empty before the gap, and nothing was archived after that until the gap.
    ///
    /// Nothing but a stored message proves what was said in a gap. In a quiet room, a server deletes the last one some day,
    /// and every later connection would leave a gap. An archive that is empty before and after a gap shows that nothing was
    /// said, unless the gap is so long that the server may have deleted it.
    fileprivate func wasEmpty(for end: Timestamp) -> Bool {
        guard end.since(completeUntil) < Self.shortestKeeping else { return false }
        // Prosody (0.12.3) gives topics no id, and does not archive them.
        guard let newest = anchors.first(where: { $0.kind != .topic || $0.remoteID != nil }) else {
            return fetchedBackTo != nil || lastLimit != nil
        }
        return newest.remoteID != nil && lastLimit.map { newest.id.time <= $0 } ?? false
    }
}
