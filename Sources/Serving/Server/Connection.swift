import NIOCore
import Synchronization

/// A client's connection: the sender of its requests, the bytes that it has not sent, and whether the client is there.
final class Connection: Sendable {
    /// The connection of the request that the current task answers.
    @TaskLocal static var current: Connection?

    private struct State {
        var share: Share?
        var isGone = false
        /// Runs when the client has gone.
        var action: (@Sendable () -> Void)?
        /// The bytes in the channel.
        var unsent = 0
        /// Waits until the channel has no bytes, or the client has gone.
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let unsent: UnsentBytes
    private let state = Mutex(State())

    init(_ unsent: UnsentBytes) { self.unsent = unsent }

    // MARK: Requests

    /// Notes the sender of the next request.
    func begin(_ share: Share?) { state.withLock { $0.share = share } }

    /// Waits until the answers so far are sent, or the client has gone: a client that does not read gets no further
    /// answers.
    func untilSent() async {
        await withCheckedContinuation { continuation in
            let isClear = state.withLock { state in
                guard state.unsent > 0, !state.isGone, state.waiting == nil else { return true }
                state.waiting = continuation
                return false
            }
            if isClear { continuation.resume() }
        }
    }

    /// Runs the action when the client has gone, now if it has; nil for none.
    func whenGone(_ action: (@Sendable () -> Void)?) {
        let isGone = state.withLock { state in
            state.action = action
            return state.isGone
        }
        if isGone { action?() }
    }

    /// - Throws: ``Problem`` if too many bytes of the sender are not sent.
    func checkUnsent(_ share: Share) throws { try unsent.check(share) }

    /// Counts the bytes of an answer or of a request until the result is released.
    func hold(_ bytes: Int) -> UnsentBytes.Hold? {
        state.withLock(\.share).map { unsent.hold(bytes, of: $0) }
    }

    // MARK: The channel

    /// Notes bytes that are in the channel. Returns the sender whom they count for.
    func addUnsent(_ bytes: Int) -> Share? {
        let share = state.withLock { state in
            state.unsent += bytes
            return state.share
        }
        if let share { unsent.add(bytes, of: share) }
        return share
    }

    /// Notes that bytes are sent, or never will be.
    func removeUnsent(_ bytes: Int, of share: Share?) {
        if let share { unsent.remove(bytes, of: share) }
        let waiting = state.withLock { state in
            state.unsent -= bytes
            return state.unsent > 0 ? nil : state.waiting.take()
        }
        waiting?.resume()
    }

    var unsentBytes: Int { state.withLock(\.unsent) }

    /// Notes that the client has gone.
    func end() {
        let (action, waiting) = state.withLock { state in
            state.isGone = true
            return (state.action, state.waiting.take())
        }
        action?()
        waiting?.resume()
    }
}

/// The open connections by their channels.
final class Connections: Sendable {
    let unsent: UnsentBytes
    private let open = Mutex<[ObjectIdentifier: Connection]>([:])

    init(_ unsent: UnsentBytes) { self.unsent = unsent }

    func add(_ channel: any Channel) -> Connection {
        let connection = Connection(unsent)
        open.withLock { $0[ObjectIdentifier(channel)] = connection }
        return connection
    }

    func remove(_ channel: any Channel) {
        let connection = open.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
        connection?.end()
    }

    subscript(_ channel: ObjectIdentifier) -> Connection? { open.withLock { $0[channel] } }
}
