import ChatModel
import Foundation
import PostgreSQL
import Replication
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Moves
@testable import Reading
@testable import Writing

/// Replication goes on after a refused password or certificate, a lock of the server, or a long pause.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct ReplicationAccessTests {
    private let fixture: ArchiveFixture
    private let writer: AccountWriter
    /// Goes on where the account is.
    private let random: RandomArchive

    init() async throws {
        fixture = try ArchiveFixture()
        writer = try await fixture.openWriter()
        var random = RandomArchive(seed: 41)
        try await random.write(to: writer, rounds: 30)
        self.random = random
    }

    private func service(_ address: String, _ log: LogLines) throws -> ReplicationService {
        ReplicationService(
            archive: fixture.archive, settings: ReplicationSettings(address: try SharedAddress(address)),
            logger: log.logger)
    }

    @Test("the listener waits after a changed password, and continues when ~/.pgpass has it")
    func changedPassword() async throws {
        let server = try await PostgreSQLServer()
        let shared = SharedCopy(address: try await server.newDatabase())
        _ = try SharedSchema.prepare(shared.connect(), withRoles: true)
        let folder = try TemporaryFolder()
        let file = folder.path + "/pgpass"
        func keep(_ password: String) throws {
            try "*:*:*:listener:\(password)\n".write(toFile: file, atomically: false, encoding: .utf8)
            chmod(file, 0o600)
        }
        try keep("first")
        _ = try await server.execute("CREATE ROLE listener LOGIN PASSWORD 'first' IN ROLE scrollback_writer")
        try await server.addRules("local all listener scram-sha-256")
        let log = LogLines()
        let address = server.address(database: "test", user: "listener") + "&passfile=\(file)"
        let service = try service(address, log)
        let running = Task { await service.run() }
        defer { running.cancel() }
        try await eventually("the account is up to date") { service.lags["demo"]?.left == 0 ? true : nil }

        _ = try await server.execute("ALTER ROLE listener PASSWORD 'second'")
        _ = try await server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'listener'")
        var random = random
        try await random.write(to: writer, rounds: 10)
        try await eventually("the error is known", state: { "\(service.lags)" }) {
            service.lags["demo"]?.error?.contains("password authentication failed") ?? false ? true : nil
        }
        #expect(!log.all.contains { $0.contains("first") || $0.contains("second") })
        try keep("second")
        try await eventually("the account is up to date again") { () -> Bool? in
            guard let lag = service.lags["demo"], lag.error == nil else { return nil }
            return try await shared.differences(from: fixture.archive).isEmpty ? true : nil
        }
        try await writer.close()
    }

    @Test(
        "with verify-full, only the host's certificate from a known authority is accepted",
        .enabled(if: Certificate.isAvailable, "needs openssl"))
    func certificates() async throws {
        let server = try await PostgreSQLServer(hasPort: true)
        let shared = SharedCopy(address: try await server.newDatabase())
        _ = try SharedSchema.prepare(shared.connect())
        let (authority, stranger) = (try await CertificateAuthority(), try await CertificateAuthority("Stranger"))
        func address(_ host: String, _ authority: CertificateAuthority) -> String {
            "postgresql://\(host):\(server.port)/test?user=postgres&hostaddr=127.0.0.1&sslmode=verify-full"
                + "&sslrootcert=\(authority.file)"
        }
        // Without TLS.
        let plain = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(address("db.example", authority)) }
        #expect(plain?.detail.contains("server does not support SSL") ?? false, "\(plain?.detail ?? "")")
        try await server.secure(with: authority.issue(["DNS:db.example"]))
        try await eventually("the certificate is used") {
            (try? PostgreSQLConnection(address("db.example", authority))) != nil ? true : nil
        }
        for (host, authority, reason) in [
            ("other.example", authority, "does not match host name"),
            ("db.example", stranger, "certificate verify failed"),
        ] {
            let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(address(host, authority)) }
            #expect(error?.detail.contains(reason) ?? false, "\(error?.detail ?? "")")
            #expect(error?.mayPass ?? false)
        }

        // The listener tries again, and goes on when the certificate is right.
        let log = LogLines()
        let service = try service(address("db.example", stranger), log)
        let running = Task { await service.run() }
        try await eventually("the error is known") {
            service.lags["demo"]?.error?.contains("certificate verify failed") ?? false ? true : nil
        }
        try await server.secure(with: stranger.issue(["DNS:db.example"]))
        try await eventually("the account is up to date", state: { "\(service.lags)" }) {
            service.lags["demo"]?.left == 0 ? true : nil
        }
        running.cancel()
        #expect(try await shared.differences(from: fixture.archive) == [])
        try await writer.close()
    }

    @Test("the server cancels a slow statement, which is retried")
    func statementTimeout() async throws {
        let server = try await PostgreSQLServer()
        let shared = SharedCopy(address: try await server.newDatabase())
        _ = try SharedSchema.prepare(shared.connect())
        let mirror = try #require(try fixture.archive.reading().mirrors(of: ["demo"]).first)
        let lock = try shared.connect()
        try lock.execute("BEGIN")
        try lock.execute("LOCK TABLE scrollback.room IN ACCESS EXCLUSIVE MODE")
        let error = #expect(throws: PostgreSQLError.self) {
            try Replicator([mirror]).step(into: shared.connect(), statementSeconds: 1)
        }
        #expect(error?.state == "57014" && error?.mayPass == true, "\(String(describing: error))")
        #expect(error?.detail.contains("statement timeout") ?? false)
        try lock.execute("ROLLBACK")
        try await shared.replicate(fixture.archive)
        #expect(try await shared.differences(from: fixture.archive) == [])
        try await writer.close()
    }

    @Test("a worker that was stopped for a day copies that day, and nothing twice")
    func stoppedForADay() async throws {
        let shared = try await SharedCopy()
        try await shared.replicate(fixture.archive)
        // Each round is about a minute of the fixture's clock.
        var random = random
        try await random.write(to: writer, rounds: 1440)
        let log = LogLines()
        let service = try service(shared.address, log)
        let running = Task { await service.run() }
        try await eventually("the account is up to date") { service.lags["demo"]?.left == 0 ? true : nil }
        running.cancel()
        #expect(try await shared.differences(from: fixture.archive) == [])
        #expect(log.all == [])
        try await writer.close()
    }

    @Test("an account that was compressed before its last changes were copied is reported once")
    func compressedTooEarly() async throws {
        let shared = try await SharedCopy()
        try await writer.close()
        _ = try fixture.archive.evict(account: "demo", level: 1)
        let log = LogLines()
        let service = try service(shared.address, log)
        let running = Task { await service.run() }
        try await eventually("it is reported") {
            service.lags["demo"]?.error?.contains("the account is compressed") ?? false ? true : nil
        }
        running.cancel()
        #expect(log.all.count { $0.contains("can't be replicated") } == 1, "\(log.all)")
        #expect(service.lags["demo"]?.left ?? 0 > 0)
    }
}
