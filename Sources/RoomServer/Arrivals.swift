import NIOCore
import Synchronization

/// Connections from when they are accepted until somebody serves them.
///
/// NIO ends the process for a wrapped channel that is dropped, as those are that wait to be accepted when a server stops;
/// so they are kept here until they are served or closed. They are wrapped at once, because what a client sends before it
/// hangs up is lost on a channel that is not.
final class Arrivals: Sendable {
    private struct State {
        var waiting: [ObjectIdentifier: RoomClient.Connection] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// On the channel's event loop.
    func wrap(_ channel: any Channel) throws -> RoomClient.Connection {
        try state.withLock { state in
            guard !state.isClosed else { throw ChannelError.alreadyClosed }
            let connection = try RoomClient.Connection(wrappingChannelSynchronously: channel)
            state.waiting[ObjectIdentifier(channel)] = connection
            return connection
        }
    }

    /// From here on the caller sees to it that the connection is closed.
    func take(_ connection: RoomClient.Connection) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(connection.channel)) }
    }

    /// Closes whatever waits; nothing is wrapped any more.
    func close() async {
        let left = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.waiting.values
        }
        for connection in left { try? await connection.executeThenClose { _, _ in } }
    }
}
