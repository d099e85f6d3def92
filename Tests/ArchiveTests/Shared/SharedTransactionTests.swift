import ChatModel
import Foundation
import PostgreSQL
import Replication
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Reading
@testable import Writing

/// Several accounts are copied in one transaction, and the server keeps the statements of a connection.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct SharedTransactionTests {
    private let fixture: ArchiveFixture
    private let names = ["one", "three", "two"]

    init() async throws {
        fixture = try ArchiveFixture()
        for (seed, name) in zip(UInt64(30)..., names) {
            let writer = try await fixture.openWriter(name)
            var random = RandomArchive(seed: seed)
            try await random.write(to: writer, rounds: 30)
            try await writer.close()
        }
    }

    private func mirrors() async throws -> [AccountMirror] { try fixture.archive.reading().mirrors() }

    /// Creates the accounts in a shared archive, with their first changes.
    private func begin(_ shared: SharedCopy) async throws {
        for result in try Replicator(try await mirrors()).steps(into: shared.connect(), count: 3) {
            _ = try result.get()
        }
    }

    @Test("accounts that share transactions are copied row by row", arguments: [1, 40, 2000])
    func sharesTransactions(count: Int) async throws {
        let shared = try await SharedCopy()
        let server = try shared.connect()
        var left = try await mirrors()
        while !left.isEmpty {
            let results = try Replicator(left).steps(into: server, count: count)
            left = try zip(left, results).compactMap { try $1.get().left > 0 ? $0 : nil }
        }
        for name in names {
            let differences = try await shared.differences(from: fixture.archive, account: name)
            #expect(differences.isEmpty, "\(name): \(differences.prefix(5))")
        }
    }

    @Test("an account that another worker has doesn't block the others")
    func leavesOutBusyAccounts() async throws {
        let shared = try await SharedCopy()
        try await begin(shared)
        let other = try shared.connect()
        try other.run(
            script: """
                BEGIN; SELECT FROM scrollback.feed_position JOIN scrollback.account ON id = account_id
                WHERE name = 'three' FOR UPDATE OF feed_position
                """)
        let results = try Replicator(try await mirrors()).steps(into: shared.connect())
        #expect(throws: SharedArchiveError.self) { try results[1].get() }
        #expect(try results[0].get().left == 0)
        #expect(try results[2].get().left == 0)
    }

    @Test("an account whose rows the server refuses doesn't block the others")
    func leavesOutRefusedAccounts() async throws {
        let shared = try await SharedCopy()
        try await begin(shared)
        let server = try shared.connect()
        let id = try #require(
            try server.execute("SELECT id FROM scrollback.account WHERE name = 'three'").integer(0, 0))
        try server.execute(
            "ALTER TABLE scrollback.change ADD CONSTRAINT no_more CHECK (account_id <> \(id)) NOT VALID")
        let service = ReplicationService(
            archive: fixture.archive, settings: ReplicationSettings(address: try SharedAddress(shared.address)),
            logger: LogLines().logger)
        let running = Task { await service.run() }
        try await eventually("the others are copied", state: { "\(service.lags)" }) {
            service.lags["one"]?.left == 0 && service.lags["two"]?.left == 0
                && service.lags["three"]?.error?.contains("no_more") ?? false ? true : nil
        }
        running.cancel()
        await running.value
        #expect(try await shared.differences(from: fixture.archive, account: "two") == [])
    }

    // MARK: Kept statements

    private static func run(_ server: PostgreSQLConnection, _ statement: String, times: Int) throws -> [Int64?] {
        try (0..<times).map { try server.executeKept(statement, [.integer(Int64($0))]).integer(0, 0) }
    }

    @Test("the server keeps a statement from its second use")
    func keepsStatements() async throws {
        let server = try await SharedCopy().connect()
        #expect(try Self.run(server, "SELECT $1 + 1", times: 3) == [1, 2, 3])
        #expect(try Self.run(server, "SELECT $1 * 2", times: 1) == [0])
        #expect(try server.execute("SELECT count(*) FROM pg_prepared_statements").integer(0, 0) == 1)
    }

    @Test("the server keeps a limited number of statements")
    func limitsStatements() async throws {
        let server = try await SharedCopy().connect()
        for number in 0..<600 {
            #expect(try Self.run(server, "SELECT $1 + \(number)", times: 2) == [Int64(number), Int64(number) + 1])
        }
        let kept = try #require(
            try server.execute("SELECT count(*) FROM pg_prepared_statements").integer(0, 0))
        #expect(kept > 0 && kept <= 500, "\(kept)")
    }

    @Test("a connection that lost its kept statement is not reused")
    func losesStatements() async throws {
        let server = try await SharedCopy().connect()
        _ = try Self.run(server, "SELECT $1 + 1", times: 2)
        try server.execute("DEALLOCATE ALL")
        #expect(throws: PostgreSQLError.self) { try Self.run(server, "SELECT $1 + 1", times: 1) }
        #expect(!server.isUsable)
    }

    @Test(
        "behind PgBouncer in transaction mode no statement is kept, and answers are the same",
        .enabled(if: Tool.find("pgbouncer") != nil, "needs pgbouncer, which .ci/fetch-tools fetches"))
    func readsThroughPgBouncer() async throws {
        let shared = try await SharedCopy.behindPgBouncer()
        for name in names { try await shared.replicate(fixture.archive, account: name) }
        let reading = SharedArchive(try SharedAddress(shared.address)).reading()
        for name in names + names + names {
            let query = try fixture.query(.latest, limit: 20, room: nil, accounts: [name])
            let (expected, found) = (
                try fixture.archive.reading().page(query).messages, try reading.page(query).messages
            )
            #expect(expected == found)
        }
        let connection = try shared.connect()
        #expect(try Self.run(connection, "SELECT $1 + 1", times: 3) == [1, 2, 3])
        #expect(try connection.execute("SELECT count(*) FROM pg_prepared_statements").integer(0, 0) == 0)
    }
}
