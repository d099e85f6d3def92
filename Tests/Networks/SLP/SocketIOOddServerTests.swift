import NIOCore
import NIOPosix
import SLPWire
import TestSupport
import Testing

@testable import SLP
@testable import Sessions

/// Servers that are no Socket.IO servers, or break off where a real one does not on command.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SocketIOOddServerTests {
    private static let open = #"0{"sid":"a b","upgrades":[],"pingInterval":25000,"pingTimeout":20000}"#

    private func configuration(_ port: Int) -> SocketIOConfiguration {
        SocketIOConfiguration(host: "127.0.0.1", port: port, isSecure: false)
    }

    private static func answer(_ body: String, status: String = "200 OK", length: Int? = nil) -> ByteBuffer {
        ByteBuffer(
            string:
                "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)"
        )
    }

    @Test(arguments: [
        answer("no such page", status: "404 Not Found"), answer("<html>"),
        answer(String(repeating: "x", count: 100_000)),
        answer("", status: "301 Moved Permanently"),
    ])
    func `a server of another protocol is recognised`(answer: ByteBuffer) async throws {
        try await LoopbackServer.run { _, inbound, outbound in
            var requests = inbound.makeAsyncIterator()
            _ = try await requests.next()
            try await outbound.write(answer)
        } body: { server in
            let error = await #expect(throws: ConnectionError.self) {
                try await withSession(configuration(server.port)) { _, _ in }
            }
            #expect(error?.detail.contains("accepts neither polling nor a WebSocket") == true, "\(error as Any)")
        }
    }

    @Test func `a session without plausible times is refused`() async throws {
        try await LoopbackServer.run { _, inbound, outbound in
            for try await _ in inbound { try await outbound.write(Self.answer(#"0{"sid":"a"}"#)) }
        } body: { server in
            let error = await #expect(throws: ConnectionError.self) {
                try await withSession(configuration(server.port)) { _, _ in }
            }
            #expect(error?.detail.contains("does not open an Engine.IO 4 session") == true)
        }
    }

    @Test func `a cut answer keeps its complete packets, and the session id is escaped`() async throws {
        let polls = Watched<[String]>([])
        try await LoopbackServer.run { _, inbound, outbound in
            for try await request in inbound {
                polls.change { $0.append(String(buffer: request)) }
                guard polls.value.count > 1 else {
                    try await outbound.write(Self.answer(Self.open))
                    continue
                }
                return try await outbound.write(
                    Self.answer("42/a,[\"channel\",1]\u{1E}42/a,[\"channel\",2]\u{1E}42/a,[\"chan", length: 1000))
            }
        } body: { server in
            try await withSession(configuration(server.port)) { _, recorder in
                let error = await recorder.hasEnded()
                #expect(error?.code == .reset, "\(error as Any)")
                #expect(recorder.arguments == ["1", "2"])
            }
            #expect(
                polls.value.last?.hasPrefix("GET /socket.io/?EIO=4&transport=polling&sid=a%20b HTTP/1.1\r\n") == true)
        }
    }

    @Test func `empty polls are not repeated without a pause`() async throws {
        let polls = Watched(0)
        let clock = ManualClock()
        try await LoopbackServer.run { _, inbound, outbound in
            for try await _ in inbound {
                try await outbound.write(Self.answer(polls.value == 0 ? Self.open : "6"))
                polls.change { $0 += 1 }
            }
        } body: { server in
            try await withSession(configuration(server.port), clock: clock) { _, recorder in
                for second in 1...3 { await clock.advance(toSleeperAt: .seconds(second)) }
                await polls.wait { $0 == 5 }
                #expect(recorder.end.value == nil)
            }
        }
    }

    @Test func `a server that does not answer is given up`() async throws {
        let clock = ManualClock()
        try await LoopbackServer.run { _, inbound, _ in
            for try await _ in inbound {}
        } body: { server in
            await withTaskGroup(of: ConnectionError?.self) { group in
                group.addTask {
                    await #expect(throws: ConnectionError.self) {
                        try await withSession(configuration(server.port), clock: clock) { _, _ in }
                    }
                }
                await clock.advance(toSleeperAt: .seconds(10))
                #expect(await group.next()??.code == .timedOut)
            }
        }
    }

    @Test func `a port without a listener is a clear error`() async {
        // tcpmux (RFC 1078), which nobody serves.
        let error = await #expect(throws: ConnectionError.self) { try await withSession(configuration(1)) { _, _ in } }
        #expect(error?.code == .refused)
        #expect(error?.detail.hasPrefix("127.0.0.1:1 refused the connection") == true)
    }
}
