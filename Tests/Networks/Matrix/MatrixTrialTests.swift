import ChatModel
import Sessions
import TestSupport
import Testing

@testable import Matrix

/// `config check --connect` logs in to a homeserver, tries the recovery key, and leaves no device.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))), .disabled(if: QuickCheck.isRunning))
struct MatrixTrialTests {
    private func answer(_ call: String, _ body: String, status: String = "200 OK") -> (awaits: String, says: String) {
        (call, StalledServer.answer(body, status: status))
    }

    private var login: [(awaits: String, says: String)] {
        [
            answer("/v3/login", #"{"access_token": "t", "user_id": "@bot:x", "device_id": "D"}"#),
            answer("/joined_rooms", #"{"joined_rooms": ["!r:x", "!o:x"]}"#), answer("/account_data/m.direct", "{}"),
            answer("/account_data/m.ignored_user_list", "{}"), answer("/v3/logout", "{}"),
        ]
    }

    private func backup(publicKey: String = KeyBackupSample.publicKey) -> [(awaits: String, says: String)] {
        [
            answer(
                "/room_keys/version",
                """
                {"version": "3", "algorithm": "m.megolm_backup.v1.curve25519-aes-sha2",
                 "auth_data": {"public_key": "\(publicKey)"}, "count": 2, "etag": "1"}
                """),
            answer("/account_data/m.megolm_backup.v1", KeyBackupSample.secret),
            answer("/account_data/m.secret_storage.default_key", #"{"key": "KEY"}"#),
            answer("/account_data/m.secret_storage.key.KEY", KeyBackupSample.key),
        ]
    }

    private func findings(
        _ answers: [(awaits: String, says: String)], hasRecovery: Bool = true, password: String? = "p"
    ) async throws -> [ConnectionFinding] {
        var script = StalledServer.Script()
        script.routes = answers
        let server = try await StalledServer.start(script, .silent)
        defer { server.stop() }
        var configuration = MatrixListenerConfiguration(
            server: try #require(HTTPOrigin("http://127.0.0.1:\(server.port)")),
            credentials: MatrixCredentials(user: "@bot:x", password: password, loginToken: password == nil ? "l" : nil))
        configuration.hasRecovery = hasRecovery
        configuration.recovery = { MatrixRecovery(key: KeyBackupSample.recoveryKey) }
        configuration.tries = 1
        return await MatrixTrial.findings(configuration)
    }

    private let loggedIn = ConnectionFinding(.fact, "logged in as @bot:x, which is in 2 rooms")

    @Test func `a recovery key that opens the backup is a fact`() async throws {
        #expect(
            try await findings(login + backup()) == [
                loggedIn, ConnectionFinding(.fact, "the recovery key opens the key backup (2 keys)"),
            ])
    }

    @Test func `without a recovery key, only the login is tried`() async throws {
        #expect(try await findings(login, hasRecovery: false) == [loggedIn])
    }

    @Test func `a recovery key of another backup is a warning with its reason`() async throws {
        let found = try await findings(login + backup(publicKey: KeyBackupSample.session))
        #expect(
            found == [
                loggedIn,
                ConnectionFinding(
                    .warning,
                    """
                    encrypted messages stay encrypted: the recovery key does not belong to the key backup (version 3)
                    """),
            ])
    }

    @Test func `a refused login is a failure`() async throws {
        let refused = answer("/v3/login", #"{"errcode": "M_FORBIDDEN", "error": "wrong"}"#, status: "403 Forbidden")
        let found = try await findings([refused])
        #expect(found.map(\.kind) == [.failure] && found.first?.text.contains("M_FORBIDDEN") == true)
    }

    @Test func `a token that works for one login is not used up`() async throws {
        let found = try await findings([], password: nil)
        #expect(found == [ConnectionFinding(.fact, "not tried: the token of a single sign-on works for one login")])
    }
}
