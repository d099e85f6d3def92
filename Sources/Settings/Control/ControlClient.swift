package import ChatModel
import Files
import FoundationEssentials
import Glibc
import Rendering

/// Sends requests to the listener of a data folder, if one runs.
package struct ControlClient: Sendable {
    package let folder: String
    /// The time limit for an answer. A listener answers from memory, with short reads or short writes. If it takes
    /// longer, it or its disk hangs.
    package var timeout = Duration.seconds(10)

    package init(folder: String, timeout: Duration = .seconds(10)) {
        self.folder = folder
        self.timeout = timeout
    }

    /// 16 MiB. A reply with some hundred accounts has 100 KB.
    private static let maximumReply = 16 * 1024 * 1024

    /// Returns the status of all accounts; nil if no listener runs.
    package func status() async throws -> [AccountStatus]? { try accounts(of: await send(.status)) }

    /// Returns the same as ``status()``, on the calling thread, which may wait.
    package func statusWaiting() throws -> [AccountStatus]? {
        guard let connection = try connect() else { return nil }
        return try accounts(of: reply(in: connection.firstLineWaiting(after: line(.status), limit: Self.maximumReply)))
    }

    private func accounts(of reply: ControlReply?) throws -> [AccountStatus]? {
        guard let reply else { return nil }
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
        client.timeout = .seconds(20 * 60)
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
        guard let connection = try await onThread(connect) else { return nil }
        return try reply(in: await connection.firstLine(after: line(request), limit: Self.maximumReply))
    }

    private func line(_ request: ControlRequest) throws -> [UInt8] {
        try JSONEncoder().encode(request) + [UInt8(ascii: "\n")]
    }

    private func reply(in line: [UInt8]?) throws -> ControlReply {
        guard let line, let reply = try? JSONDecoder().decode(ControlReply.self, from: Data(line)) else { throw silent }
        return reply
    }

    private var silent: ServiceError {
        ServiceError(
            .listenerSilent, "the listener of \(Sanitizer.line(folder)) does not answer",
            hint: "see its log, and restart it if it is stuck")
    }

    /// Returns true if the process that listens at the socket belongs to the folder's owner or to root. If others can
    /// write to the folder, they can put a socket of theirs there, which would receive what this process sends.
    private func isTrusted(_ connection: LocalConnection) -> Bool {
        var status = stat()
        guard let user = connection.peerUser, stat(folder, &status) == 0 else { return false }
        return user == 0 || user == status.st_uid
    }

    private var foreign: ServiceError {
        ServiceError(
            .notPermitted,
            "another user than the owner of \(Sanitizer.line(folder)) listens at its \(ControlSocket.name)",
            hint: "check who may write to the folder (ls -ld), stop that user's process, and remove the socket")
    }

    /// Connects to the socket, on a thread that may wait. Returns nil if no process listens, because there is no socket or
    /// a dead process left it.
    private func connect() throws -> LocalConnection? {
        let connection: LocalConnection
        do {
            connection = try ControlSocket.withPath(folder: folder) { path in
                try LocalConnection(path: path, timeout: timeout)
            }
        } catch {
            guard error as? LocalConnection.Failure == .noAnswer else { return nil }
            throw silent
        }
        guard isTrusted(connection) else { throw foreign }
        return connection
    }
}
