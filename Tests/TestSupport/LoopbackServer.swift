package import NIOCore
import NIOPosix

/// A server on a free port of this machine, which passes one connection after the other to a test's closure.
package struct LoopbackServer: Sendable {
    private typealias Channel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    package let port: Int

    /// - Parameter serve: Serves one connection, with its number from 0, its input and its output. The connection is
    ///   closed afterwards.
    package static func run(
        serve:
            @escaping @Sendable (
                Int, NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>
            ) async throws -> Void,
        body: (LoopbackServer) async throws -> Void
    ) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                // Wraps the channel only when it is served, because NIO ends the process if a wrapped channel is
                // released without being closed.
                channel.setOption(.autoRead, value: false).map { channel }
            }
        let port = server.channel.localAddress?.port ?? 0
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.executeThenClose { connections in
                    var number = 0
                    for try await channel in connections {
                        let connection = try await channel.eventLoop.submit {
                            try Channel(wrappingChannelSynchronously: channel)
                        }
                        .get()
                        try await channel.setOption(.autoRead, value: true).get()
                        try? await connection.executeThenClose { try await serve(number, $0, $1) }
                        number += 1
                    }
                }
            }
            try await body(LoopbackServer(port: port))
            group.cancelAll()
        }
    }
}
