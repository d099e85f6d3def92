import ChatModel
import NIOPosix
import SLPWire
import ScriptedSessions
import TestSupport
import Testing

@testable import SLP
@testable import Sessions

/// Sessions that end, and consumers that take their time.
@Suite(.enabled(if: SLPServer.isAvailable, needsVenv), .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SocketIOTroubleTests {
    private static let room = "/ws-channel-238"

    private func start(_ way: Way) async throws -> SLPServer {
        try await SLPServer.start(way.arguments)
    }

    @Test(arguments: Way.both)
    func `a server that ends the session ends it without an error`(way: Way) async throws {
        let server = try await start(way)
        try await withSession(SocketIOConfiguration(server)) { _, recorder in
            try await server.comesTo("a request that waits") { $0.waiting == 1 }
            try await server.order("close")
            #expect(await recorder.hasEnded() == nil)
        }
    }

    @Test(arguments: Way.both)
    func `a connection that breaks ends the session with an error`(way: Way) async throws {
        let server = try await start(way)
        try await withSession(SocketIOConfiguration(server)) { _, recorder in
            try await server.comesTo("a request that waits") { $0.waiting == 1 }
            try await server.order("abort")
            #expect(await recorder.hasEnded()?.code == .reset)
        }
    }

    @Test func `polling a session that the server forgot ends it with an error`() async throws {
        let server = try await start(.pollingOnly)
        try await withSession(SocketIOConfiguration(server)) { connection, recorder in
            #expect(connection.connect(Self.room))
            await recorder.waitFor(.connected(namespace: Self.room))
            try await server.order("forget")
            #expect(await recorder.hasEnded()?.detail.contains("has ended the session: HTTP 400") == true)
        }
    }

    @Test(arguments: Way.both)
    func `a server that is silent beyond its own limit counts as dead`(way: Way) async throws {
        let server = try await start(way)
        let clock = ManualClock()
        try await withSession(SocketIOConfiguration(server), clock: clock) { connection, recorder in
            #expect(connection.handshake.silenceLimit == .seconds(45))
            await clock.advance(toSleeperAt: .seconds(45))
            let error = await recorder.hasEnded()
            #expect(error?.code == .timedOut)
            #expect(error?.detail.contains("has been silent for 45") == true)
        }
    }

    @Test(arguments: Way.both)
    func `a slow consumer does not count as silence`(way: Way) async throws {
        let server = try await start(way)
        let clock = ManualClock()
        let now = Watched(Timestamp(microseconds: 1))
        let connector = SocketIOConnector(
            SocketIOConfiguration(server), group: MultiThreadedEventLoopGroup.singleton, clock: clock,
            readClocks: { ClockReading(now.value) })
        let first = try await connector.withConnection { connection in
            #expect(connection.connect(Self.room))
            _ = try? await eventually("an event that nobody takes") { connection.link.watch.isReading ? nil : true }
            await clock.advance(toSleeperAt: .seconds(45))
            await clock.sleeper(at: .seconds(90))
            now.change { $0 = Timestamp(microseconds: 2) }
            return try? await connection.forEachEvent { $0.content == .signOfLife ? nil : $0 }
        }
        #expect(first?.content == .connected(namespace: Self.room))
    }

    @Test(arguments: Way.both)
    func `a packet that is too long ends the session after the events before it`(way: Way) async throws {
        let server = try await start(way)
        var configuration = SocketIOConfiguration(server)
        configuration.limits.packetBytes = 10_000
        try await withSession(configuration) { connection, recorder in
            #expect(connection.connect(Self.room))
            await recorder.waitFor(.connected(namespace: Self.room))
            // Together longer than one may be, which is nothing unusual.
            let order = #"{"namespace":"\#(Self.room)","event":"channel","arguments":[{"a":"b"}],"times":2000}"#
            try await server.order("emit", order)
            try await server.order("raw", #"{"text":"4","times":10001}"#)
            let error = await recorder.hasEnded()
            #expect(error?.detail.hasSuffix("sent a packet of more than 10000 bytes") == true, "\(error as Any)")
            #expect(recorder.arguments.count == 2000)
        }
    }

    @Test(arguments: Way.both)
    func `a server without pauses is read no faster than its events are used`(way: Way) async throws {
        let server = try await start(way)
        let connector = SocketIOConnector(
            SocketIOConfiguration(server), group: MultiThreadedEventLoopGroup.singleton)
        let (events, megabyte) = (64, 1 << 20)
        let order =
            #"{"namespace":"\#(Self.room)","event":"channel","arguments":[{}],"padding":\#(megabyte),"times":\#(events)}"#
        let heard = try await connector.withConnection { connection in
            var (sizes, unsent) = ([Int](), 0)
            #expect(connection.connect(Self.room))
            return try? await connection.forEachEvent { event -> (sizes: [Int], unsent: Int)? in
                switch event.content {
                case .connected:
                    try? await server.order("emit", order)
                case .event(_, let event, _):
                    if sizes.isEmpty { unsent = (try? await standstill(server)) ?? 0 }
                    sizes.append(event.arguments.count)
                default:
                    break
                }
                return sizes.count == events ? (sizes, unsent) : nil
            }
        }
        #expect(heard?.sizes.allSatisfy { $0 > megabyte } == true)
        // The kernels' buffers take some megabytes, and we a few.
        #expect(heard?.unsent ?? 0 > 32 * megabyte)
    }

    /// What a server has not got rid of when nothing moves any more, in bytes.
    private func standstill(_ server: SLPServer) async throws -> Int {
        var looks: [Int] = []
        return try await eventually("a standstill") {
            looks.append(try await server.state().unsent)
            let last = looks.suffix(10)
            return last.count == 10 && Set(last).count == 1 ? last.last : nil
        }
    }

    @Test(arguments: Way.both)
    func `cancelling closes at once, whatever is in progress`(way: Way) async throws {
        let server = try await start(way)
        let clock = ManualClock()
        let connected = Watched(false)
        let connector = SocketIOConnector(
            SocketIOConfiguration(server), group: MultiThreadedEventLoopGroup.singleton, clock: clock)
        await withTaskGroup { group in
            group.addTask {
                try? await connector.withConnection { connection in
                    connected.change { $0 = true }
                    let _: Never? = try? await connection.forEachEvent { _ in nil }
                }
            }
            await connected.wait { $0 }
            group.cancelAll()
        }
        // A poll that is broken off is no end to a server.
        if way == .upgraded { try await server.comesTo("no session") { $0.sessions.isEmpty } }
    }
}
