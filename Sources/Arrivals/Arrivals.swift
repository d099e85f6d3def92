package import NIOCore
import Synchronization

/// Accepted connections that wait to be served.
///
/// NIO ends the process if a wrapped channel is released before it is closed, as happens to waiting channels when a
/// server stops. So this type keeps the channels until they are served or closed. It wraps them at once, because an
/// unwrapped channel loses the bytes of a client that hangs up early.
package final class Arrivals: Sendable {
    /// An accepted connection, whose bytes can be read and written.
    package typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private struct State {
        var waiting: [ObjectIdentifier: Connection] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Wraps a connection that was just accepted. Call it on the channel's event loop.
    ///
    /// - Throws: `ChannelError.alreadyClosed` after ``close()``.
    package func wrap(_ channel: any Channel) throws -> Connection {
        try state.withLock { state in
            guard !state.isClosed else {
                // NIO 2.101 forgets a channel whose initializer fails, and leaves it open.
                channel.close(promise: nil)
                throw ChannelError.alreadyClosed
            }
            let connection = try Connection(wrappingChannelSynchronously: channel)
            state.waiting[ObjectIdentifier(channel)] = connection
            return connection
        }
    }

    /// Hands the connection to the caller, which must close it.
    package func take(_ connection: Connection) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(connection.channel)) }
    }

    /// Closes all waiting connections. Later ones are refused.
    package func close() async {
        let left = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.waiting.values
        }
        for connection in left { try? await connection.executeThenClose { _, _ in } }
    }
}
