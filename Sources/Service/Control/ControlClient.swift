package import ChatModel
import Foundation
package import NIOCore
import NIOPosix
import Rendering

/// Asks the listener of a data folder, when one runs.
package struct ControlClient: Sendable {
    package let folder: String
    /// A listener answers from memory, short reads and short writes; longer means that it is stuck, or its disk is.
    package var patience = TimeAmount.seconds(10)

    package init(folder: String, patience: TimeAmount = TimeAmount.seconds(10)) {
        self.folder = folder
        self.patience = patience
    }

    /// A reply of some hundred accounts is 100 KB.
    private static let maximumReply = 16 * 1024 * 1024

    /// Nil when no listener runs.
    package func status() async throws -> [AccountStatus]? {
        guard let reply = try await ask(.status) else { return nil }
        guard let accounts = reply.accounts else { throw refusal(reply) }
        return accounts
    }

    /// Nil when no listener writes the account.
    ///
    /// - Throws: ``ServiceError`` when it refuses, or does not answer: then it may be done or not.
    package func perform(_ change: StoreChange) async throws -> StoreOutcome? {
        guard let reply = try await ask(.change(change)) else { return nil }
        guard let done = reply.done else { throw refusal(reply) }
        return done ? reply.outcome ?? StoreOutcome() : nil
    }

    /// What the account's network counts as unread, asked by the listener, which may wait for the network. Nil when no
    /// listener has the account.
    package func unread(account: String, _ questions: [UnreadQuestion]) async throws -> [UnreadAnswer]? {
        var client = self
        client.patience = .minutes(20)
        guard let reply = try await client.ask(.unread(account: account, questions)) else { return nil }
        guard let done = reply.done else { throw refusal(reply) }
        return done ? reply.answers ?? [] : nil
    }

    /// How many rooms' history is asked for; nil when no listener has the account.
    package func backfill(account: String, room: Int64?, after: Timestamp?) async throws -> Int? {
        guard let reply = try await ask(.backfill(account: account, room: room, after: after)) else { return nil }
        guard let done = reply.done else { throw refusal(reply) }
        return done ? reply.rooms ?? 0 : nil
    }

    private func refusal(_ reply: ControlReply) -> ServiceError {
        ServiceError(.listenerRefused, "the listener says: \(Sanitizer.line(reply.error ?? "nothing"))", hint: nil)
    }

    private func ask(_ request: ControlRequest) async throws -> ControlReply? {
        guard let channel = try? await connect() else { return nil }
        let deadline = channel.channel.eventLoop.scheduleTask(in: patience) { channel.channel.close(promise: nil) }
        defer { deadline.cancel() }
        let line = try? await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: try JSONEncoder().encode(request) + [UInt8(ascii: "\n")]))
            var lines = LineBuffer(maximumSize: Self.maximumReply)
            for try await part in inbound where lines.append(part) {
                if let line = lines.next() { return line }
            }
            return [UInt8]()
        }
        guard let line, let reply = try? JSONDecoder().decode(ControlReply.self, from: Data(line)) else {
            throw ServiceError(
                .listenerSilent, "the listener of \(Sanitizer.line(folder)) does not answer",
                hint: "see its log, and restart it if it is stuck")
        }
        return reply
    }

    /// Fails where nobody listens: no socket, or one that a process left behind.
    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ControlSocket.withPath(folder: folder) { path in
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(patience)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
                }
        }
    }
}
