import Archive
import ChatModel
import Checks
import Foundation
import Logging
import Matrix
import NIOPosix
import Reading
import Sessions
import TestSupport
import Testing
import Writing

/// A Matrix account, and the archive that a listener fills from it.
final class MatrixArchiving: Sendable {
    let archive: Archive
    let reports = Watched<[ListenerReport]>([])
    private let folder: TemporaryFolder
    private let account = AccountIdentity(name: "matrix", network: "matrix")

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(
            folder: folder.path + "/data", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Runs the listener beside `body`, and stops it after that. What is stored then has no fault.
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
        configuration.tokenPath = folder.path + "/tokens"
        change(&configuration)
        let writer = try await archive.openWriter(account)
        let listener = MatrixListener(
            configuration, attachments: writer, group: .singletonMultiThreadedEventLoopGroup,
            tools: ListenerTools(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        made?.change { $0 = listener }
        let (inputs, input) = AsyncStream<ListenerInput>.makeStream()
        input.yield(.start)
        let result = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [reports] in
                await listener.run(inputs: inputs, into: writer, state: writer) { report in
                    reports.change { $0.append(report) }
                }
            }
            defer { input.yield(.stop) }
            return try await body()
        }
        try await writer.close()
        let check = try archive.check()
        #expect(check.map(\.state) == [.fine], "\(check)")
        return result
    }

    /// Returns the messages of a room, or of all, in order of time.
    func messages(room: String? = nil) async throws -> [Message] {
        let reading = archive.reading()
        var scope = MessageQuery.Scope.accounts(["matrix"])
        if let room {
            guard let found = try reading.rooms().first(where: { $0.name == room }) else { return [] }
            scope = .rooms([found.key])
        }
        var (all, anchor): ([Message], MessageQuery.Anchor) = ([], .oldest)
        while true {
            let page = try reading.page(try MessageQuery(scope: scope, anchor: anchor, limit: 1000))
            all += page.messages
            guard let newer = page.newer else { return all }
            anchor = .after(newer)
        }
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
        try archive.reading().gaps(scope: .accounts(["matrix"])).filter { $0.state.isMissing && $0.to != nil }
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
        let accounts = folder.path + "/data/accounts/"
        let account = try FileManager.default.contentsOfDirectory(atPath: accounts).first ?? ""
        return try SQLiteFixture(accounts + account + "/1.sqlite").texts(sql)
    }
}
