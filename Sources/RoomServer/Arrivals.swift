package import NIOCore
import Synchronization

/// Connections from when they are accepted until somebody serves them.
///
/// NIO ends the process for a wrapped channel that is dropped, as those are that wait to be accepted when a server stops;
/// so they are kept here until they are served or closed. They are wrapped at once, because what a client sends before it
/// hangs up is lost on a channel that is not.
package final class Arrivals: Sendable {
    package typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private struct State {
        var waiting: [ObjectIdentifier: Connection] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// On the channel's event loop.
    package func wrap(_ channel: any Channel) throws -> Connection {
        try state.withLock { state in
            guard !state.isClosed else {
                // NIO (2.101) forgets a channel whose initializer fails, open as it is.
                channel.close(promise: nil)
                throw ChannelError.alreadyClosed
            }
            let connection = try Connection(wrappingChannelSynchronously: channel)
            state.waiting[ObjectIdentifier(channel)] = connection
            return connection
        }
    }

    /// From here on the caller sees to it that the connection is closed.
    package func take(_ connection: Connection) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(connection.channel)) }
    }

    /// Closes whatever waits; nothing is wrapped any more.
    package func close() async {
        let left = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.waiting.values
        }
        for connection in left { try? await connection.executeThenClose { _, _ in } }
    }
}
