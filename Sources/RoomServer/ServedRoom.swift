import NIOCore
import StreamChatWire
import Synchronization

/// The people in the room, and the lines that the server still has to send to them.
final class ServedRoom: Sendable {
    typealias ClientID = Int

    /// The means to reach a client.
    struct Outlet {
        /// Signals that ``take(_:bytes:)`` has lines to return.
        var wake: @Sendable () -> Void
        /// Ends the connection of a client that is too far behind.
        var cut: @Sendable () -> Void
    }

    private struct Member {
        let name: String
        let outlet: Outlet
        /// The place in the log of the next line to send.
        var place: Int
    }

    private struct State {
        var log: RoomLog
        var connections = 0
        var members: [ClientID: Member] = [:]
        /// Clients that have taken everything, so that the next line must wake them.
        var idle: [ClientID] = []
    }

    private let revision: Revision
    private let framing: Framing
    private let maximumConnections: Int
    private let state: Mutex<State>

    init(_ configuration: RoomServerConfiguration) {
        self.revision = configuration.revision
        self.framing = configuration.framing
        self.maximumConnections = configuration.limits.connections
        self.state = Mutex(State(log: RoomLog(maximumBytes: configuration.limits.backlogBytes)))
    }

    /// Counts a connection. Returns false if the limit is reached. Call ``release()`` in either case.
    func admit() -> Bool {
        state.withLock { state in
            state.connections += 1
            return state.connections <= maximumConnections
        }
    }

    func release() {
        state.withLock { $0.connections -= 1 }
    }

    /// Adds a client, and informs the others. The client receives the lines that come after.
    func join(_ id: ClientID, name: String, outlet: Outlet) {
        let line = encoded(.joined(name: name))
        state.withLock { state in
            Self.broadcast(line, &state)
            state.members[id] = Member(name: name, outlet: outlet, place: state.log.end)
            state.idle.append(id)
        }
    }

    /// Removes a client, and informs the others. Does nothing for a client that isn't in the room.
    func leave(_ id: ClientID) {
        state.withLock { state in
            guard let member = state.members.removeValue(forKey: id) else { return }
            Self.broadcast(encoded(.left(name: member.name)), &state)
        }
    }

    /// Sends a text to everyone, the sender included. Does nothing for a client that isn't in the room.
    func post(_ text: String, by id: ClientID) {
        guard let name = state.withLock({ $0.members[id]?.name }) else { return }
        let line = encoded(.message(name: name, text: text))
        state.withLock { Self.broadcast(line, &$0) }
    }

    /// Returns the next lines for a client: at most `bytes`, or a single line. Empty if there are none, and the client
    /// is woken by the next one; also empty for a client that isn't in the room or was cut off.
    func take(_ id: ClientID, bytes: Int) -> ArraySlice<ByteBuffer> {
        state.withLock { state in
            guard let place = state.members[id]?.place, place >= state.log.start else { return [] }
            let lines = state.log.entries(from: place, bytes: bytes)
            state.members[id]?.place = place + lines.count
            if lines.isEmpty { state.idle.append(id) }
            return lines
        }
    }

    private func encoded(_ line: ServerLine) -> ByteBuffer {
        ByteBuffer(bytes: line.encoded(revision, framing))
    }

    private static func broadcast(_ line: ByteBuffer, _ state: inout State) {
        if state.log.append(line) { cutOff(&state) }
        for id in state.idle { state.members[id]?.outlet.wake() }
        state.idle.removeAll(keepingCapacity: true)
    }

    /// Cuts off the clients whose next line is no longer in the log. They leave the room when their connection has
    /// ended.
    private static func cutOff(_ state: inout State) {
        for member in state.members.values where member.place < state.log.start { member.outlet.cut() }
    }
}
