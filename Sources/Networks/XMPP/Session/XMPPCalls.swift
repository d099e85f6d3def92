import Sessions
import Synchronization
import XMPPWire

/// The questions to the server that wait for their answers.
final class XMPPCalls: Sendable {
    /// An answer, with the messages that came before it.
    struct Answer: Sendable {
        var element: XMPPElement
        var messages: [ArchivedMessage]
    }

    private final class Call: Sendable {
        let isOver = Signal()
        /// The address that must answer; nil for the account's own server.
        let peer: JID?
        /// The most messages that may come before the answer; 0 for a question that is not about an archive.
        let messages: Int
        let answer = Mutex<Answer?>(nil)
        let collected = Mutex<[ArchivedMessage]>([])

        init(peer: JID?, messages: Int) { (self.peer, self.messages) = (peer, messages) }
    }

    private let calls = Mutex<[String: Call]>([:])
    private let count = Mutex(0)

    /// Returns an id for a question.
    func nextID() -> String {
        count.withLock { count in
            count += 1
            return "s\(count)"
        }
    }

    /// Sends a question, and waits for its answer; nil if none comes in time, or if the task is cancelled.
    func ask(
        _ id: String, of peer: JID?, messages: Int = 0, within limit: Duration, clock: any Clock<Duration>,
        send: () -> Void
    ) async -> Answer? {
        let call = Call(peer: peer, messages: messages)
        calls.withLock { $0[id] = call }
        send()
        await Sessions.within(limit, of: clock) { await call.isOver.wait() }
        calls.withLock { $0[id] = nil }
        return call.answer.withLock { $0 }
    }

    /// Gives an answer to its question.
    ///
    /// - Returns: False if nobody asked that address.
    func answer(_ id: String, with element: XMPPElement, from peer: JID?, account: JID) -> Bool {
        guard let call = calls.withLock({ $0[id] }), Self.isRight(peer, for: call.peer, account) else { return false }
        let messages = call.collected.withLock { $0 }
        call.answer.withLock { $0 = Answer(element: element, messages: messages) }
        call.isOver.set()
        return true
    }

    /// The outcome of a message of an archive.
    enum Taken { case taken, unknown, tooMany }

    /// Keeps a message of an archive until the page ends. Takes none that was not asked for, and none of another archive.
    func add(_ message: ArchivedMessage, from peer: JID?, account: JID) -> Taken {
        guard let call = calls.withLock({ $0[message.query] }), call.messages > 0,
            Self.isRight(peer, for: call.peer, account)
        else { return .unknown }
        return call.collected.withLock { collected in
            guard collected.count < call.messages else { return .tooMany }
            collected.append(message)
            return .taken
        }
    }

    /// Prosody sends results of the own archive without an address, ejabberd with the account's (0.12.3, 23.01). A server
    /// answers for the account in either way.
    private static func isRight(_ peer: JID?, for asked: JID?, _ account: JID) -> Bool {
        guard let asked else {
            return peer == nil || peer?.bare == account.bare || peer == JID(local: "", domain: account.domain)
        }
        return peer == asked
    }
}
