import Archive
import ChatModel
import Foundation
import Matrix
import NIOPosix
import Reading
import ScriptedSessions
import Sessions
import TestSupport
import Testing

/// A Matrix account, and the archive that a listener fills from it.
final class MatrixArchiving: Sendable {
    private let listened: ListenedArchive
    var archive: Archive { listened.archive }
    var reports: Watched<[ListenerReport]> { listened.reports }

    init() throws {
        listened = try ListenedArchive(account: "matrix", network: "matrix")
    }

    /// Runs the listener beside `body`, stops it after that, and checks the archive.
    func listening<Result>(
        to address: String, as credentials: MatrixCredentials,
        _ change: (inout MatrixListenerConfiguration) -> Void = { _ in },
        listener made: Watched<MatrixListener?>? = nil,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let server = try #require(HTTPOrigin(address))
        var configuration = MatrixListenerConfiguration(server: server, credentials: credentials)
        configuration.wait = .seconds(2)
        configuration.backoff = Backoff.Limits(first: .milliseconds(10), longest: .milliseconds(100))
        configuration.callBackoff = Backoff.Limits(first: .milliseconds(10), longest: .milliseconds(50))
        configuration.tokenPath = listened.folder.path + "/tokens"
        change(&configuration)
        return try await listened.listening(by: { writer, tools in
            let listener = MatrixListener(
                configuration, attachments: writer, group: .singletonMultiThreadedEventLoopGroup, tools: tools)
            made?.change { $0 = listener }
            return listener
        }) { _ in
            try await body()
        }
    }

    /// Returns the messages of a room, or of all, in order of time.
    func messages(room: String? = nil) async throws -> [Message] {
        guard let room else { return try listened.messages() }
        guard let found = try archive.reading().rooms().first(where: { $0.name == room }) else { return [] }
        return try listened.messages(room: found.key)
    }

    /// Waits until a message with this text is stored.
    func wait(for text: String) async throws {
        try await eventually(
            "\"\(text)\" is stored", state: { self.reports.value.last.map { "\($0)" } ?? "" }
        ) {
            () -> Bool? in
            let page = try? archive.reading().page(
                try MessageQuery(scope: .accounts(["matrix"]), anchor: .latest, limit: 1000))
            return page?.messages.contains { $0.body == text } ?? false ? true : nil
        }
    }

    /// Returns the times that are missing before the last connection's end, and inside.
    func gaps() async throws -> [Gap] {
        try listened.gaps().filter { $0.state.isMissing && $0.to != nil }
    }

    /// Returns the present places of people's pictures, after their ids.
    func pictures() throws -> [String] {
        try texts(
            """
            SELECT key || ' ' || path FROM user_picture JOIN user ON user.id = user_id
            WHERE user_picture.last_seen_us IS NULL ORDER BY key
            """)
    }

    /// Returns the first column of each row of the account's file.
    func texts(_ sql: String) throws -> [String] {
        let accounts = listened.folder.path + "/data/accounts/"
        let account = try FileManager.default.contentsOfDirectory(atPath: accounts).first ?? ""
        return try SQLiteFixture(accounts + account + "/1.sqlite").texts(sql)
    }
}
