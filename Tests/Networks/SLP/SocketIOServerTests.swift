import Foundation
import NIOPosix
import NIOSSL
import SLPWire
import TestSupport
import Testing

@testable import SLP
@testable import Sessions

/// Against a real Socket.IO server, python-socketio.
@Suite(.enabled(if: SLPServer.isAvailable, needsVenv), .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SocketIOServerTests {
    private static let room = "/ws-channel-238"
    private static let connected = SocketIOEvent.Content.connected(namespace: room)

    private func start(_ way: Way, _ arguments: String...) async throws -> SLPServer {
        try await SLPServer.start(way.arguments + arguments)
    }

    @Test(arguments: Way.allCases)
    func `events arrive in order over any transport of the server`(way: Way) async throws {
        let server = try await start(way)
        try await withSession(SocketIOConfiguration(server)) { connection, recorder in
            #expect(connection.transport == way.transport)
            #expect(connection.connect(Self.room))
            await recorder.waitFor(Self.connected)
            let order = #"{"namespace":"\#(Self.room)","event":"channel","arguments":[{"content":"방"}],"times":500}"#
            try await server.order("emit", order)
            await recorder.contents.wait { $0.count == 501 }
            #expect(recorder.arguments == (0..<500).map { #"{"content":"\ubc29","n":\#($0)}"# })
        }
        for request in try await server.state().requests {
            #expect(request.headers["accept-encoding"] ?? "identity" == "identity")
            #expect(request.headers["sec-websocket-extensions"] == nil)
        }
    }

    @Test(arguments: Way.both)
    func `a refused namespace has its reason, and the others continue`(way: Way) async throws {
        let server = try await start(way, "--refuse", "/ws-channel-9")
        try await withSession(SocketIOConfiguration(server)) { connection, recorder in
            for name in ["/ws-channel-9", "/elsewhere", Self.room] { #expect(connection.connect(name)) }
            await recorder.waitFor(Self.connected)
            #expect(
                recorder.contents.value == [
                    .refused(namespace: "/ws-channel-9", reason: "no such room"),
                    .refused(namespace: "/elsewhere", reason: "no such room"), Self.connected,
                ])
            // python-socketio has other words, and another form, for what is asked for twice.
            #expect(connection.connect(Self.room))
            await recorder.waitFor(.refused(namespace: Self.room, reason: "Unable to connect"))
            #expect(!connection.connect("no-namespace"))
        }
    }

    @Test func `a namespace that is granted and then refused has ended`() async throws {
        let server = try await start(.upgraded, "--always-connect", "--refuse", "/ws-dm-1")
        try await withSession(SocketIOConfiguration(server)) { connection, recorder in
            #expect(connection.connect("/ws-dm-1"))
            await recorder.waitFor(.disconnected(namespace: "/ws-dm-1"))
            #expect(recorder.contents.value.first == .connected(namespace: "/ws-dm-1"))
        }
    }

    @Test(arguments: Way.both)
    func `two hundred namespaces share a connection`(way: Way) async throws {
        let server = try await start(way)
        let rooms = (0..<200).map { "/ws-channel-\($0)" }
        try await withSession(SocketIOConfiguration(server)) { connection, recorder in
            for room in rooms { #expect(connection.connect(room)) }
            await recorder.contents.wait { $0.count == rooms.count }
            #expect(recorder.contents.value == rooms.map { .connected(namespace: $0) })
            for room in rooms.dropFirst() { #expect(connection.disconnect(room)) }
            try await server.comesTo("one namespace") { $0.namespaces.values.reduce(0, +) == 1 }
            #expect(try await server.state().sessions.count == 1)
        }
    }

    @Test(arguments: Way.both)
    func `a namespace that the server ends is over, and the others continue`(way: Way) async throws {
        let server = try await start(way)
        try await withSession(SocketIOConfiguration(server)) { connection, recorder in
            for name in ["/ws-dm-1", Self.room] { #expect(connection.connect(name)) }
            await recorder.waitFor(Self.connected)
            try await server.order("disconnect", #"{"namespace":"/ws-dm-1"}"#)
            await recorder.waitFor(.disconnected(namespace: "/ws-dm-1"))
            try await server.order("emit", #"{"namespace":"\#(Self.room)","event":"channel"}"#)
            await recorder.contents.wait { $0.count == 4 }
            #expect(connection.connect("/ws-dm-1"))
            await recorder.contents.wait { $0.last == .connected(namespace: "/ws-dm-1") }
        }
    }

    @Test func `events can arrive before their namespace is granted`() async throws {
        let server = try await start(.upgraded, "--greet", Self.room)
        try await withSession(SocketIOConfiguration(server)) { connection, recorder in
            #expect(connection.connect(Self.room))
            await recorder.waitFor(Self.connected)
            #expect(recorder.contents.value.count == 2 && recorder.contents.value.last == Self.connected)
        }
    }

    @Test(arguments: Way.both)
    func `attachments arrive with their event`(way: Way) async throws {
        let server = try await start(way)
        try await withSession(SocketIOConfiguration(server)) { connection, recorder in
            #expect(connection.connect(Self.room))
            await recorder.waitFor(Self.connected)
            let order = #"{"namespace":"\#(Self.room)","event":"channel","arguments":[1],"attachment":"AQID"}"#
            try await server.order("emit", order)
            await recorder.contents.wait { $0.count == 2 }
            guard case .event(_, let event, let attachments)? = recorder.contents.value.last else {
                Issue.record("no event")
                return
            }
            #expect(event.arguments == Array(#"1,{"_placeholder":true,"num":0}"#.utf8))
            #expect(attachments == [[1, 2, 3]])
        }
    }

    @Test(arguments: Way.both)
    func `an unreadable packet is reported with its bytes, and hides no other`(way: Way) async throws {
        let server = try await start(way)
        try await withSession(SocketIOConfiguration(server)) { connection, recorder in
            #expect(connection.connect(Self.room))
            await recorder.waitFor(Self.connected)
            try await server.order("raw", #"{"text":"42{}"}"#)
            try await server.order("raw", #"{"text":"nonsense"}"#)
            try await server.order("emit", #"{"namespace":"\#(Self.room)","event":"channel"}"#)
            await recorder.contents.wait { $0.count == 4 }
            #expect(
                recorder.contents.value[1...2] == [
                    .unreadable(Array("2{}".utf8), .invalidPayload),
                    .unreadable(Array("nonsense".utf8), .unknownType),
                ])
        }
    }

    @Test(arguments: [Way.upgraded, .pollingOnly])
    func `the client answers pings`(way: Way) async throws {
        let server = try await start(way, "--ping-interval", "0.05")
        try await withSession(SocketIOConfiguration(server)) { _, recorder in
            try await server.comesTo("three pongs") { $0.pongs >= 3 }
            #expect(recorder.end.value == nil)
        }
    }

    @Test(arguments: Way.both)
    func `leaving ends the session at the server`(way: Way) async throws {
        let server = try await start(way)
        try await withSession(SocketIOConfiguration(server)) { _, _ in
            try await server.comesTo("a session") { $0.sessions.count == 1 }
        }
        try await server.comesTo("no session") { $0.sessions.isEmpty }
    }

    @Test(arguments: [true, false])
    func `TLS works over both transports`(isUpgraded: Bool) async throws {
        let folder = try TemporaryFolder()
        let server = try await start(isUpgraded ? .upgraded : .pollingOnly, "--tls", folder.path)
        var configuration = SocketIOConfiguration(host: "localhost", port: server.port, isSecure: true)
        let error = await #expect(throws: ConnectionError.self) { try await withSession(configuration) { _, _ in } }
        #expect(
            error?.detail.contains("its certificate is not signed by an authority that this machine trusts") == true)
        configuration.tls.trustRoots = .file(folder.path + "/ca.pem")
        try await withSession(configuration) { connection, recorder in
            #expect(connection.transport == (isUpgraded ? .webSocket : .polling))
            #expect(connection.connect(Self.room))
            await recorder.waitFor(Self.connected)
        }
    }
}
