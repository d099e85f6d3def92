import Foundation
import TestSupport

/// The workspace service of `Tests/SLPServer` with one workspace and some rooms.
struct WorkspaceServer: Sendable {
    /// The server's report about the messages that it was ordered to send.
    struct Storm: Decodable, Sendable {
        var sent: Int
        /// The time of the beginning, in seconds since 1970.
        var began: Double
        var last: Double
        /// The processor time of the server since its start, in seconds.
        var total: Double
        /// The highest number of messages that it was behind its pace.
        var behind: Int

        var rate: Double { Double(sent) / (last - began) }
    }

    private struct Made: Decodable {
        var id: String
    }

    private struct Calls: Decodable {
        var calls: [String]
    }

    let server: SLPServer
    let rooms: [String]
    var port: Int { server.port }
    var namespaces: [String] { rooms.map { "/ws-channel-\($0)" } }

    /// - Parameter messages: The number of messages in each room from before the listener starts.
    static func start(rooms count: Int, messages: Int = 0) async throws -> WorkspaceServer {
        let server = try await SLPServer.start()
        let workspace = try await order(server, "workspace", #"{"name":"w"}"#)
        var rooms: [String] = []
        for number in 0..<count {
            let details = #"{"workspace":"\#(workspace)","name":"room \#(number)","chats":\#(messages)}"#
            rooms.append(try await order(server, "channel", details))
        }
        return WorkspaceServer(server: server, rooms: rooms)
    }

    private static func order(_ server: SLPServer, _ what: String, _ details: String) async throws -> String {
        try JSONDecoder().decode(Made.self, from: await server.answer(to: "service/\(what)", details)).id
    }

    enum Way: String {
        /// With python-socketio's own `emit`.
        case emit
        /// Encoded by python-socketio, and added to the connection's queue.
        case packets
    }

    /// Orders the server to send messages, the first with the number `first`, and returns at once.
    ///
    /// - Parameter rate: The number of messages a second; nil for as many as possible.
    func send(_ events: Int, from first: Int = 0, rate: Int? = nil, _ way: Way) async throws {
        let rooms = rooms.map { "\"\($0)\"" }.joined(separator: ",")
        try await server.order(
            "storm",
            #"{"rooms":[\#(rooms)],"events":\#(events),"first":\#(first),"rate":\#(rate ?? 0),"way":"\#(way.rawValue)"}"#
        )
    }

    func storm() async throws -> Storm {
        try await server.state(of: "storm")
    }

    /// Returns the calls to the service, without those of Socket.IO.
    func calls() async throws -> [String] {
        let state: Calls = try await server.state(of: "service/")
        return state.calls
    }
}
