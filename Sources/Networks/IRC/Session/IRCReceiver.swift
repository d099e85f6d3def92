import ChatModel
import IRCWire
import Sessions

/// Turns the lines of a registered connection into events for the archive, requests for the server and questions.
struct IRCReceiver: Sendable {
    var presence: IRCPresence
    var joining: IRCJoining
    var backfill: IRCBackfill
    var replays = IRCReplays()
    var topics = IRCTopics()
    var backlogs = IRCBacklogs()
    var readMarks = IRCReadMarks()
    private let playback: ZNCPlayback
    private var expected: IRCExpectedRooms
    /// The present input, and its results.
    var step: IRCStep
    /// The limit of spans that unreadable lines and outages of this connection may end: with 50 rooms, 2,000 of them.
    private static let maximumEffort = 100_000
    private var effort = 0

    init(_ presence: IRCPresence, joining: IRCJoining, stored: IRCStoredState, step: IRCStep) {
        (self.presence, self.joining, self.step) = (presence, joining, step)
        expected = IRCExpectedRooms(stored.rooms)
        playback = ZNCPlayback(lastReceipt: stored.lastReceipt)
        backfill = IRCBackfill(answerTimeout: presence.configuration.historyTimeout)
    }

    /// Begins with the archive's conversations, and handles the lines that came with the login.
    mutating func begin(_ login: IRCLogin, partners: [String: UserReference]) {
        let (server, time) = (presence.names.server, presence.openedAt)
        presence.setClock(presence.welcomedAt, at: time, &step)
        step.events.append(.roomListed(RoomListing(room: server), at: time))
        step.events.append(.roomUncovered(server, at: time))
        expected.unlistRemoved(joining, presence, &step)
        expected.requestEndOfList(login, presence, &step)
        playback.requestMissed(presence, &step)
        presence.resume(partners, &step)
        for line in login.earlyMessages {
            if let message = try? IRCMessage(line: line) { receive(message, raw: line) }
        }
    }

    /// Does the work that is due by now.
    mutating func tick() {
        join()
        presence.regainNick(&step)
        // Lines that look like a backlog without an end are messages.
        for line in backlogs.takeOverdue(at: step.elapsed) { receiveMessage(line.event) }
        backfill.tick(&presence, &step)
    }

    /// The time of the next call of ``tick()``; nil if none is due.
    var due: Duration? { [joining.nextDue, backfill.due, presence.regain.nextTry].compactMap(\.self).min() }

    mutating func backfill(_ key: String?, after: Timestamp?) -> Int? {
        backfill.backfill(key, after: after, &presence, &step)
    }

    mutating func receiveAnswer(_ answer: IRCLookup.Answer) {
        if case .lastMessages(let room, let messages) = answer {
            return backlogs.receiveStored(messages, of: room, presence, &step)
        }
        if case .room(let known) = answer { playback.requestAll(of: known, presence, &step) }
        backfill.receiveAnswer(answer, &presence, &step)
    }

    mutating func configure(_ new: IRCConfiguration) {
        presence.configure(new)
        joining.configure(new.rooms, presence, &step)
        renew(keys: new.secrets.channelKeys, at: step.elapsed)
    }

    mutating func renew(keys: [String: String], at elapsed: Duration) {
        joining.renew(keys: keys, at: elapsed)
    }

    mutating func settle() { presence.settle(&step) }

    /// Returns the step, and begins another one at the same time.
    mutating func takeStep() -> IRCStep {
        step.progress = presence.hasHistory ? backfill.history.progress : nil
        defer { step = IRCStep(at: step.at, elapsed: step.elapsed) }
        return step
    }

    /// Handles a line about the registration: the server's features, the account's nick, or the end of the connection.
    mutating func register(_ message: IRCMessage) {
        if message.verb == "PONG" {
            presence.setClock(message.tag("time").flatMap(ServerTime.microseconds), at: step.at, &step)
            expected.receiveEndOfList(message, joining, presence, &step)
        }
        for action in presence.receive(message) {
            switch action {
            case .send(let answer): step.send.append(answer)
            case .ended(let failure) where step.end == nil:
                let configuration = presence.configuration
                step.end = SessionEnd(
                    reason: .closed, detail: configuration.secrets.mask(failure.detail),
                    outcome: failure.outcome(configuration, uptime: step.elapsed))
            case .ended, .supportChanged, .capabilitiesChanged, .ready, .loginAwaited: break
            }
        }
    }

    /// - Returns: The items of a batch, to be handled before the lines after it.
    mutating func receiveOutput(_ output: BatchCollector.Output, raw: [UInt8]?) -> [Batch.Item] {
        if let reply = backfill.reply(output, presence.names) {
            let items = reply.batch.map { receive($0, replayOf: nil) } ?? []
            backfill.applyReply(reply, &presence, &step)
            // A marker does not cover messages that are stored after it.
            if let room = reply.batch?.params.first.flatMap({ presence.liveRoom(presence.names.key($0)) }) {
                readMarks.moveMarker(of: room, &step)
            }
            return items
        }
        switch output {
        case .message(let message), .stray(let message):
            receive(message, raw: raw)
            return []
        // A broken batch has its first items. The others come as strays, or the connection has ended.
        case .batch(let batch), .broken(let batch, _): return receive(batch, replayOf: nil)
        }
    }

    mutating func unreadable(_ payload: [UInt8], _ reason: String) {
        // The line may belong to any room, so the coverage of every room ends there.
        spend(on: presence.spans.starts.count, for: "lines that can't be read")
        step.events.append(
            .unreadable(
                UnreadableEvent(
                    session: presence.id, room: nil, remoteID: nil, receivedAt: step.at, payload: payload,
                    reason: reason)))
    }

    /// Counts work that the server caused, and ends the connection if it is too much. The lines after that are in a
    /// recorded gap.
    ///
    /// - Parameter rooms: The number of affected rooms.
    mutating func spend(on rooms: Int, for what: String) {
        effort += max(1, rooms)
        guard effort > Self.maximumEffort, step.end == nil else { return }
        step.end = SessionEnd(reason: .violation, detail: "the server sent too many \(what)")
    }
}
