import ChatModel
import IRCWire
import Sessions

/// The server's answers to requests for history.
extension IRCBackfill {
    /// The server's answer to a request.
    struct Reply {
        fileprivate let subject: IRCHistory.Subject?
        fileprivate let reply: ReplyMatcher.Reply
        /// The lines to handle before ``IRCBackfill/applyReply(_:_:_:)``; nil if there are none.
        let batch: Batch?
    }

    /// - Returns: Nil if the output does not answer a request for history.
    mutating func reply(_ output: BatchCollector.Output, _ names: IRCNames) -> Reply? {
        guard let (subject, reply) = history.receive(output, mapping: names.mapping) else { return nil }
        switch output {
        case .batch(let batch), .broken(let batch, _):
            let repeated = repeated(reply, of: subject, names)
            return Reply(subject: subject, reply: reply, batch: batch.dropping(before: repeated))
        case .message, .stray: return Reply(subject: subject, reply: reply, batch: nil)
        }
    }

    /// Returns the time up to which the next answer repeats this one, in milliseconds since 1970. Excludes the time
    /// that is received live, whose messages are stored at once.
    private func repeated(
        _ reply: ReplyMatcher.Reply, of subject: IRCHistory.Subject?, _ names: IRCNames
    ) -> Int64 {
        guard case .room(let key) = subject, case .batch(let batch) = reply, let room = history.rooms[key] else {
            return .min
        }
        return min(room.fill.repeated(page: batch.messages.map(names.decoded)) ?? .min, room.liveSince.milliseconds)
    }

    mutating func applyReply(_ reply: Reply, _ presence: inout IRCPresence, _ step: inout IRCStep) {
        guard let subject = reply.subject else { return }
        switch reply.reply {
        case .batch(let batch): received(batch.messages, of: subject, &presence, &step)
        case .nothing: received([], of: subject, &presence, &step)
        case .tooLarge: tooLarge(subject, &presence, &step)
        case .failure(let code, let text): failed(subject, code: code, text: text, &presence, &step)
        }
    }

    private mutating func received(
        _ page: [IRCMessage], of subject: IRCHistory.Subject, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        switch subject {
        case .targets:
            history.targets?.failures = 0
            takeTargets(history.targets?.search?.receive(page: page) ?? [], &presence, &step)
        case .room(let key):
            let since = presence.liveSince(key)?.milliseconds ?? .max
            history.counts.countPaged(page.compactMap(HistoryPoint.init).filter { $0.milliseconds >= since }, in: key)
            noteInterruptions(in: page, of: key, &presence, &step)
            history.change(key) { $0.messages += page.count }
            let decoded = page.map(presence.names.decoded)
            change(key, &presence, &step) { $0.receive(page: decoded) }
        }
    }

    private mutating func tooLarge(
        _ subject: IRCHistory.Subject, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        switch subject {
        case .targets: failedTargets("the server's answer is too large", presence, &step)
        case .room(let key): change(key, &presence, &step) { $0.tooLarge() }
        }
    }

    mutating func failed(
        _ subject: IRCHistory.Subject, code: String, text: String, _ presence: inout IRCPresence,
        _ step: inout IRCStep
    ) {
        switch subject {
        case .targets: failedTargets("\(code): \(text)", presence, &step)
        case .room(let key): change(key, &presence, &step) { $0.fail(code: code, text: text) }
        }
    }
}
