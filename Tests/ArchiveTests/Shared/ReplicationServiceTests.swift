import ChatModel
import PostgreSQL
import Replication
import TestSupport
import Testing

@testable import Accounts
@testable import Writing

/// Replication beside a listener.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct ReplicationServiceTests {
    @Test("messages stored while the server is away are copied later, and its error is logged once")
    func catchesUp() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let server = try await PostgreSQLServer()
        let shared = SharedCopy(address: try await server.newDatabase())
        _ = try SharedSchema.prepare(shared.connect())
        let log = LogLines()
        let service = ReplicationService(
            archive: fixture.archive, settings: ReplicationSettings(address: try SharedAddress(shared.address)),
            logger: log.logger)
        let running = Task { await service.run() }
        defer { running.cancel() }
        var random = RandomArchive(seed: 30)
        try await random.write(to: writer, rounds: 30)
        try await eventually("the account is up to date") { service.lags["demo"]?.left == 0 ? true : nil }

        try await server.kill()
        try await random.write(to: writer, rounds: 30)
        try await eventually("the error is known") { service.lags["demo"]?.error == nil ? nil : true }
        try await server.start()
        try await eventually("the account is up to date again") { () -> Bool? in
            guard let lag = service.lags["demo"], lag.error == nil else { return nil }
            return try await shared.differences(from: fixture.archive).isEmpty ? true : nil
        }
        let lines = log.all
        // A broken connection, a server that refuses connections, and one that starts.
        #expect(lines.count { $0.contains("can't be written") } <= 3, "\(lines)")
        #expect(lines.count { $0.contains("written again") } == 1, "\(lines)")
        try await writer.close()
    }
}
