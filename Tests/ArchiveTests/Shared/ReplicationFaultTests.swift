import ChatModel
import Foundation
import PostgreSQL
import Replication
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Reading
@testable import Schema
@testable import Writing

/// Whatever breaks, the next transaction goes on from the position in the shared archive.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct ReplicationFaultTests {
    private let fixture: ArchiveFixture
    private let writer: AccountWriter

    init() async throws {
        fixture = try ArchiveFixture()
        writer = try await fixture.openWriter()
        var random = RandomArchive(seed: 5)
        try await random.write(to: writer, rounds: 40)
    }

    private func store(_ seed: UInt64) async throws {
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer, rounds: 20)
    }

    private func expectEqual(_ shared: SharedCopy, _ what: String = "") async throws {
        try await shared.replicate(fixture.archive)
        let differences = try await shared.differences(from: fixture.archive)
        #expect(differences.isEmpty, "\(what): \(differences.prefix(5))")
        let mirror = try #require(try fixture.archive.reading().mirrors(of: ["demo"]).first)
        #expect(try Verification.of(mirror, shared.connect())?.differences == [])
    }

    enum Direction: String, CaseIterable, Sendable { case sent, received }

    @Test(
        "a connection that breaks at any byte of a transaction loses and repeats nothing", arguments: Direction.allCases
    )
    func breaksAnywhere(direction: Direction) async throws {
        let server = try await PostgreSQLServer()
        let shared = SharedCopy(address: try await server.newDatabase())
        _ = try SharedSchema.prepare(shared.connect())
        let mirror = try #require(try fixture.archive.reading().mirrors(of: ["demo"]).first)
        let replicator = Replicator([mirror])
        // The bytes grow with the batch; every byte of all of them takes minutes.
        let stride = Torture.isWhole ? 1 : direction == .sent ? 1499 : 67
        var place = 1
        while true {
            let proxy = try CuttingProxy(
                to: server.folder, sent: direction == .sent ? place : nil,
                received: direction == .received ? place : nil)
            let address = server.address(database: "test", folder: proxy.folder)
            do {
                let connection = try PostgreSQLConnection(address)
                while try replicator.step(into: connection, count: 40).left > 0 {}
            } catch let error as PostgreSQLError {
                #expect(error.mayPass, "\(error.kind) \(error.detail)")
            } catch SharedArchiveError.busy {
                continue
            }
            if !proxy.wasCut { break }
            place += stride
        }
        try await expectEqual(shared)
    }

    @Test("copying continues after the server is killed at any time")
    func survivesKills() async throws {
        let server = try await PostgreSQLServer()
        let shared = SharedCopy(address: try await server.newDatabase())
        _ = try SharedSchema.prepare(shared.connect())
        let mirror = try #require(try fixture.archive.reading().mirrors(of: ["demo"]).first)
        let replicator = Replicator([mirror])
        for place in [300, 2_000, 6_000, 12_000, 20_000] {
            let process = try #require(server.process)
            let proxy = try CuttingProxy(to: server.folder, sent: place) { kill(process, SIGKILL) }
            do {
                let connection = try PostgreSQLConnection(server.address(database: "test", folder: proxy.folder))
                while try replicator.step(into: connection, count: 25).left > 0 {}
            } catch let error as PostgreSQLError {
                #expect(error.mayPass, "\(error.kind) \(error.detail)")
            }
            if proxy.wasCut {
                try await server.kill()
                try await server.start()
            }
        }
        try await expectEqual(shared)
    }

    @Test("two workers for one account do not conflict")
    func workersTakeTurns() async throws {
        let shared = try await SharedCopy()
        try await withThrowingTaskGroup { tasks in
            for _ in 0..<2 {
                tasks.addTask {
                    let mirror = try #require(try fixture.archive.reading().mirrors(of: ["demo"]).first)
                    let (replicator, server) = (Replicator([mirror]), try shared.connect())
                    while true {
                        do {
                            if try replicator.step(into: server, count: 3).left == 0 { return }
                        } catch SharedArchiveError.busy {
                            await Task.yield()
                        }
                    }
                }
            }
            try await tasks.waitForAll()
        }
        try await expectEqual(shared)
        let accounts = try shared.connect().execute("SELECT count(*) FROM scrollback.account")
        #expect(try accounts.integer(0, 0) == 1)
    }

    @Test("a database restored from an older backup gets the changes since then again")
    func catchesUpAfterRestore() async throws {
        let server = try await PostgreSQLServer()
        let shared = SharedCopy(address: try await server.newDatabase())
        _ = try SharedSchema.prepare(shared.connect())
        try await shared.replicate(fixture.archive, count: 30)
        _ = try await server.execute("CREATE DATABASE older TEMPLATE test")
        try await store(77)
        try await expectEqual(shared)
        try await expectEqual(SharedCopy(address: server.address(database: "older")), "the older one")
    }

    @Test("a restored account is loaded beside the old copy and then replaces it")
    func replacesAfterNewEpoch() async throws {
        let shared = try await SharedCopy()
        try await shared.replicate(fixture.archive)
        try await writer.close()
        try fixture.execute("UPDATE account SET epoch = 'another'; DELETE FROM message_version; DELETE FROM gap_note")
        let mirror = try #require(try fixture.archive.reading().mirrors(of: ["demo"]).first)
        let (replicator, server) = (Replicator([mirror]), try shared.connect())
        var states: Set<String> = []
        var left: Int64 = 1
        while left > 0 {
            left = try replicator.step(into: server, count: 20).left
            let rows = try server.execute("SELECT string_agg(state, ' ' ORDER BY id) FROM scrollback.account")
            states.insert(try #require(try rows.text(0, 0)))
        }
        #expect(states == ["current loading", "current"])
        try await expectEqual(shared)
        // As after a crash between the replacement and the removal.
        try server.execute(
            """
            INSERT INTO scrollback.account SELECT 999, folder, name, network, 'older', 0, 'replaced' FROM scrollback.account
            """)
        try server.execute("INSERT INTO scrollback.late VALUES (999, 1, 1, 1)")
        try await shared.replicate(fixture.archive)
        #expect(try server.execute("SELECT FROM scrollback.account").count == 1)
        for table in SchemaTable.allSent {
            let accounts = try server.execute("SELECT DISTINCT account_id FROM scrollback.\(table.sharedName)")
            #expect(accounts.count <= 1, "\(table.sharedName) has rows of the old copy")
        }
    }

    @Test(
        "copying waits while the server's disk is full",
        .enabled(if: SmallDisk.isPossible, "needs root, and a kernel that allows mounts"))
    func waitsForSpace() async throws {
        let disk = try SmallDisk(kibibytes: 160 * 1024)
        let data = disk.path + "/data"
        mkdir(data, 0o700)
        chown(data, 65534, 65534)
        chmod(disk.path, 0o755)
        chmod(disk.path + "/..", 0o711)
        let server = try await PostgreSQLServer(settings: ["max_wal_size=48MB", "min_wal_size=32MB"], data: data)
        let shared = SharedCopy(address: try await server.newDatabase())
        _ = try SharedSchema.prepare(shared.connect())
        try await shared.replicate(fixture.archive, count: 30)
        try await fill(disk)
        var failed = false
        for seed in UInt64(200)..<220 where !failed {
            try await store(seed)
            do {
                try await shared.replicate(fixture.archive, count: 5)
            } catch let error as PostgreSQLError {
                failed = true
                #expect(error.mayPass, "\(error.kind) \(error.detail)")
            }
        }
        try FileManager.default.removeItem(atPath: disk.path + "/junk")
        // A server whose log of changes can't be written stops.
        if (try? shared.connect()) == nil {
            try await server.stop()
            try await server.start()
        }
        try await expectEqual(shared)
    }

    private func fill(_ disk: SmallDisk) async throws {
        let file = open(disk.path + "/junk", O_CREAT | O_WRONLY, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 7, count: 1 << 16)
        while write(file, block, block.count) > 0 {}
    }

    @Test(
        "copying works through PgBouncer in transaction mode",
        .enabled(if: Tool.find("pgbouncer") != nil, "needs pgbouncer, which .ci/fetch-tools fetches"))
    func passesPgBouncer() async throws {
        let shared = try await SharedCopy.behindPgBouncer()
        try await shared.replicate(fixture.archive, count: 20)
        try await expectEqual(shared)
    }
}
