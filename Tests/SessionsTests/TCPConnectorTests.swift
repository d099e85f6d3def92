import ChatModel
import NIOCore
import NIOPosix
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct TCPConnectorTests {
    private let connector = TCPConnector(group: MultiThreadedEventLoopGroup.singleton)

    @Test func `sent bytes arrive in order and are counted`() async throws {
        let sent = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        try await LoopbackServer.run { _, _, outbound in
            for byte in sent { try await outbound.write(ByteBuffer(bytes: [byte])) }
        } body: { server in
            let traffic = Traffic(wallClock: { Timestamp(microseconds: 7) })
            let connector = TCPConnector(group: MultiThreadedEventLoopGroup.singleton, traffic: traffic)
            #expect(traffic.lastByte == nil)
            let bytes = try await connector.withConnection(host: "127.0.0.1", port: server.port) {
                var bytes: [UInt8] = []
                let error: Never? = try? await $0.forEachRead { received in
                    bytes += received.bytes
                    return nil
                }
                #expect(error == nil)
                return bytes
            }
            #expect(bytes == sent)
            #expect(traffic.bytes == 1000)
            #expect(traffic.lastByte == Timestamp(microseconds: 7))
        }
    }

    @Test func `the peer's kernel acknowledges sent bytes`() async throws {
        try await LoopbackServer.run { _, inbound, _ in
            for try await _ in inbound {}
        } body: { server in
            let acknowledgement = try await connector.withConnection(host: "127.0.0.1", port: server.port) {
                try? await $0.send(Array("USR_NAME::archiver::END".utf8))
                var acknowledgement = await $0.acknowledgement()
                while acknowledgement?.isComplete == false { acknowledgement = await $0.acknowledgement() }
                return acknowledgement
            }
            #expect(try #require(acknowledgement).age < .seconds(10))
        }
    }

    @Test func `bytes that a peer does not take have not arrived`() async throws {
        let isDone = Watched(false)
        let bytes = [UInt8](repeating: 0x61, count: 64 << 20)
        try await LoopbackServer.run { _, _, _ in
            await isDone.wait { $0 }
        } body: { server in
            let acknowledgement = try await connector.withConnection(host: "127.0.0.1", port: server.port) {
                connection in
                await withTaskGroup { group in
                    group.addTask { try? await connection.send(bytes) }
                    // The peer's buffer is full once nothing moves any more; probes for room come later.
                    var acknowledgement = await connection.acknowledgement()
                    while acknowledgement?.isComplete == true { acknowledgement = await connection.acknowledgement() }
                    while let last = acknowledgement, last.age < .milliseconds(100) {
                        acknowledgement = await connection.acknowledgement()
                    }
                    group.cancelAll()
                    return acknowledgement
                }
            }
            isDone.change { $0 = true }
            #expect(try #require(acknowledgement).isComplete == false)
        }
    }

    @Test func `a server without pauses is read no faster than its reads are used`() async throws {
        let megabytes = 64
        try await LoopbackServer.run { _, inbound, outbound in
            let megabyte = ByteBuffer(repeating: 0x61, count: 1 << 20)
            for _ in 0..<megabytes { try await outbound.write(megabyte) }
            // Closing would drop what is not yet sent.
            for try await _ in inbound {}
        } body: { server in
            let (bytes, ahead, filled) = try await connector.withConnection(host: "127.0.0.1", port: server.port) {
                connection in
                var (reads, bytes, ahead, filled) = (0, 0, 0, false)
                _ = try? await connection.forEachRead { received in
                    for _ in 0..<10 { await Task.yield() }
                    reads += 1
                    bytes += received.bytes.count
                    ahead = max(ahead, connection.readsTaken - reads)
                    filled = filled || received.filledBuffer
                    return bytes < megabytes << 20 ? nil : true
                }
                return (bytes, ahead, filled)
            }
            #expect(bytes == megabytes << 20)
            #expect(filled)
            // Eight may wait, and four are taken at once (NIO's maximum of messages a read).
            #expect(ahead <= 12)
        }
    }

    @Test func `a port without a listener is a clear error`() async {
        // tcpmux (RFC 1078), which nobody serves; a port that was free a moment ago may be another test's by now.
        let port = 1
        let error = await #expect(throws: ConnectionError.self) {
            try await connector.withConnection(host: "127.0.0.1", port: port) { _ in }
        }
        #expect(error?.code == .refused)
        #expect(error?.detail.hasPrefix("127.0.0.1:\(port) refused the connection") == true)
    }
}
