import Bytes
import IRCWire
import TextEncodings

extension FuzzTarget {
    /// The lines of an IRC server.
    static let irc = FuzzTarget("irc", limit: 8192) { input in
        var (whole, split) = (LineSplitter(), LineSplitter())
        let lines = whole.splitLines(input)
        try requireEqual(Parts(input).parts.flatMap { split.splitLines($0) }, lines, "lines of a split stream")
        try requireEqual(split.unfinished, whole.unfinished, "the rest of a split stream")
        var session = FuzzedSession()
        for case .line(let line) in lines {
            guard let message = try? IRCMessage(line: line) else { continue }
            if let written = try? message.encoded(limits: .server) {
                try requireEqual(try IRCMessage(line: Array(written.dropLast(2))), message, "a message read again")
            }
            session.receive(message)
        }
        for message in session.sent {
            do { _ = try message.encoded() } catch { throw BrokenRule(description: "can't send \(message): \(error)") }
        }
    }
}

/// The machines of a connection to an IRC server, with the messages that they send.
private struct FuzzedSession {
    private var registration: Registration
    private var (batches, matcher) = (BatchCollector(), ReplyMatcher())
    private var members = Membership(nick: Array("me".utf8), mapping: .rfc1459)
    private var fill = HistoryFill(
        target: Array("#a".utf8), start: .latest(), limit: 3, types: [.msgid, .timestamp])
    private var targets = HistoryTargets(from: .min, to: .max, limit: 3, mapping: .ascii)
    private(set) var sent: [IRCMessage] = []

    init() {
        var identity = Registration.Identity(nick: "me", user: "u", realName: "r")
        identity.credentials = .plain(user: "u", password: "p")
        registration = Registration(identity)
        sent = fill.begin().compactMap { if case .request(let message) = $0 { message } else { nil } }
    }

    mutating func receive(_ message: IRCMessage) {
        for case .send(let message) in registration.receive(message) { sent.append(message) }
        _ = members.receive(message, support: registration.support)
        _ = registration.support.room(of: message, nick: Array("me".utf8))
        _ = (registration.support.channelModes, registration.support.historyLimit, registration.support.joinTargets)
        for output in batches.receive(message) { receive(output) }
        for param in message.params {
            _ = (CTCPMessage(param), DecodedText(param), DecodedText(param, fallback: .iso2022JP))
            _ = (TextFormatting.strip(param), HistoryPoint(message))
        }
        if case .message(let said) = BipLine(message, isConversation: message.params.count > 2) { _ = said.timed }
        if let time = message.tag("time") { _ = ServerTime.microseconds(time) }
    }

    private mutating func receive(_ output: BatchCollector.Output) {
        if !matcher.isWaiting {
            sent.append(
                matcher.request(
                    IRCMessage("CHATHISTORY", "X"), batchType: "chathistory", target: nil, isLabeled: false))
        }
        _ = matcher.receive(output, mapping: .ascii)
        guard case .batch(let batch) = output else { return }
        for case .request(let message) in fill.receive(page: batch.messages) { sent.append(message) }
        for case .request(let message) in targets.receive(page: batch.messages) { sent.append(message) }
    }
}
