import Bytes
package import ChatModel
import Foundation
package import NIOCore
import NIOPosix
import Rendering

/// Sends requests to the listener of a data folder, if one runs.
package struct ControlClient: Sendable {
    package let folder: String
    /// The time limit for an answer. A listener answers from memory, with short reads or short writes. If it takes
    /// longer, it or its disk hangs.
    package var timeout = TimeAmount.seconds(10)

    package init(folder: String, timeout: TimeAmount = TimeAmount.seconds(10)) {
        self.folder = folder
        self.timeout = timeout
    }

    /// 16 MiB. A reply with some hundred accounts has 100 KB.
    private static let maximumReply = 16 * 1024 * 1024

    /// Returns the status of all accounts; nil if no listener runs.
    package func status() async throws -> [AccountStatus]? {
        guard let reply = try await send(.status) else { return nil }
        guard let accounts = reply.accounts else { throw refusal(reply) }
        return accounts
    }

    /// Requests a change to an account's file from the listener. Returns nil when no listener writes the account.
    ///
    /// - Throws: ``ServiceError`` if the listener refuses or doesn't answer; without an answer, it is unknown if the
    ///   change was made.
    package func perform(_ change: StoreChange) async throws -> StoreOutcome? {
        guard let reply = try await send(.change(change)) else { return nil }
        guard let done = reply.done else { throw refusal(reply) }
        return done ? reply.outcome ?? StoreOutcome() : nil
    }

    /// Returns the network's own counts of unread messages, which the listener requests. That may take up to 20
    /// minutes. Nil if no listener has the account.
    package func unread(account: String, _ questions: [UnreadQuestion]) async throws -> [UnreadAnswer]? {
        var client = self
        client.timeout = .minutes(20)
        guard let reply = try await client.send(.unread(account: account, questions)) else { return nil }
        guard let done = reply.done else { throw refusal(reply) }
        return done ? reply.answers ?? [] : nil
    }

    /// Asks the listener to fetch missing history of one room or of all. Returns the number of rooms; nil if no
    /// listener has the account.
    ///
    /// - Parameter after: The time from which history is fetched again; nil for the missing times only.
    package func backfill(account: String, room: Int64?, after: Timestamp?) async throws -> Int? {
        guard let reply = try await send(.backfill(account: account, room: room, after: after)) else { return nil }
        guard let done = reply.done else { throw refusal(reply) }
        return done ? reply.rooms ?? 0 : nil
    }

    private func refusal(_ reply: ControlReply) -> ServiceError {
        ServiceError(.listenerRefused, "the listener says: \(Sanitizer.line(reply.error ?? "nothing"))", hint: nil)
    }

    private func send(_ request: ControlRequest) async throws -> ControlReply? {
        guard let channel = try? await connect() else { return nil }
        let deadline = channel.channel.eventLoop.scheduleTask(in: timeout) { channel.channel.close(promise: nil) }
        defer { deadline.cancel() }
        let line = try await answer(to: request, through: channel)
        guard let line, let reply = try? JSONDecoder().decode(ControlReply.self, from: Data(line)) else {
            throw ServiceError(
                .listenerSilent, "the listener of \(Sanitizer.line(folder)) does not answer",
                hint: "see its log, and restart it if it is stuck")
        }
        return reply
    }

    /// Sends a request. Returns the line of the answer; nil if it does not come, or not whole.
    private func answer(
        to request: ControlRequest, through channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
    ) async throws(ServiceError) -> [UInt8]? {
        do {
            return try await channel.executeThenClose { inbound, outbound -> [UInt8]? in
                guard try await isTrusted(channel.channel) else { throw foreign }
                try await outbound.write(ByteBuffer(bytes: try JSONEncoder().encode(request) + [UInt8(ascii: "\n")]))
                var lines = LineBuffer(limit: Self.maximumReply)
                for try await part in inbound {
                    var bytes = Array(buffer: part)[...]
                    if let line = lines.next(in: &bytes) { return line.bytes }
                }
                return nil
            }
        } catch let error as ServiceError {
            throw error
        } catch {
            return nil
        }
    }

    /// Returns true if the process that listens at the socket belongs to the folder's owner or to root. If others can
    /// write to the folder, they can put a socket of theirs there, which would receive what this process sends.
    private func isTrusted(_ channel: any Channel) async throws -> Bool {
        var status = stat()
        guard let options = channel as? any SocketOptionProvider, stat(folder, &status) == 0 else { return false }
        let peer: PeerCredentials = try await options.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        ).get()
        return peer.user == 0 || peer.user == status.st_uid
    }

    private var foreign: ServiceError {
        ServiceError(
            .notPermitted,
            "another user than the owner of \(Sanitizer.line(folder)) listens at its \(ControlSocket.name)",
            hint: "check who may write to the folder (ls -ld), stop that user's process, and remove the socket")
    }

    /// Connects to the socket. Throws if no process listens, because there is no socket or a dead process left it.
    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ControlSocket.withPath(folder: folder) { path in
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(timeout)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
                }
        }
    }
}

/// The process at the other end of a local socket: `struct ucred` of unix(7), `SO_PEERCRED`.
private struct PeerCredentials {
    let process: pid_t
    let user: uid_t
    let group: gid_t
}
