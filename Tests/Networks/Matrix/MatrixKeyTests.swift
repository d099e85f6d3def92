import Archive
import ChatModel
import Foundation
import Matrix
import Reading
import Sessions
import TestSupport
import Testing

/// Encrypted messages get their texts by the account's key backup, at once or when their keys come.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct MatrixKeyTests: MatrixScript {
    let archiving: MatrixArchiving

    init() throws { archiving = try MatrixArchiving() }

    private func encrypted(_ number: Int, id: String? = nil, by person: String = "alice") -> String {
        """
        {"type": "m.room.encrypted", "event_id": "\(id ?? "$\(number)")", "sender": "@\(person):x",
         "origin_server_ts": \(1_795_000_000_000 + number * 1000), "content": {"algorithm": "m.megolm.v1.aes-sha2",
         "ciphertext": "\(KeyBackupSample.messages[number] ?? "")", "session_id": "\(KeyBackupSample.session)",
         "sender_key": "k", "device_id": "D"}}
        """
    }

    private func sync(_ events: [String], next: String) -> Answer {
        sync(events, next: next, name: "lounge", room: KeyBackupSample.room)
    }

    private func version(etag: Int = 1) -> Answer {
        (
            "/room_keys/version",
            StalledServer.answer(
                """
                {"version": "3", "algorithm": "m.megolm_backup.v1.curve25519-aes-sha2",
                 "auth_data": {"public_key": "\(KeyBackupSample.publicKey)"}, "count": 1, "etag": "\(etag)"}
                """)
        )
    }

    /// The backup that never changes.
    private var sameVersion: [Answer] { (0..<50).map { _ in version() } }

    private var secrets: [Answer] {
        [
            ("/account_data/m.megolm_backup.v1", StalledServer.answer(KeyBackupSample.secret)),
            ("/account_data/m.secret_storage.default_key", StalledServer.answer(#"{"key": "KEY"}"#)),
            ("/account_data/m.secret_storage.key.KEY", StalledServer.answer(KeyBackupSample.key)),
        ]
    }

    private var session: Answer { ("/room_keys/keys/", StalledServer.answer(KeyBackupSample.backedUp)) }

    private var noSession: Answer {
        refusal(
            "404 Not Found", #"{"errcode": "M_NOT_FOUND", "error": "No room_keys found"}"#, to: "/room_keys/keys/")
    }

    private func useRecoveryKey(_ configuration: inout MatrixListenerConfiguration) {
        use(MatrixRecovery(key: KeyBackupSample.recoveryKey), &configuration)
    }

    private func use(_ recovery: MatrixRecovery, _ configuration: inout MatrixListenerConfiguration) {
        (configuration.recovery, configuration.hasRecovery) = ({ recovery }, true)
        configuration.backupKeyPath = (configuration.tokenPath ?? "") + ".backup"
        configuration.keyBackoff = Backoff.Limits(first: .milliseconds(10), longest: .milliseconds(50))
    }

    private func texts() async throws -> [Message] {
        try await archiving.messages(room: "lounge").filter { $0.kind == .message }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message whose key the backup has is stored with its text`() async throws {
        let events = [encrypted(0), encrypted(1), event(2, "in clear"), encrypted(255)]
        let answers = [login(), direct] + sameVersion + secrets + [session, sync(events, next: "s1")]
        var path = ""
        try await listening(
            to: answers,
            { configuration in
                useRecoveryKey(&configuration)
                path = configuration.backupKeyPath ?? ""
            }
        ) { try await archiving.wait(for: KeyBackupSample.body(255)) }
        let messages = try await texts()
        #expect(messages.map(\.body) == ["안녕 0", "안녕 1", "in clear", "안녕 255"])
        #expect(messages.map { $0.flags.contains(.encrypted) } == [true, true, false, true])
        #expect(messages.allSatisfy { $0.editedAt == nil })
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600, "only its owner reads the kept key")
        let kept = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!kept.contains(KeyBackupSample.recoveryKey))
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message whose key comes later is the same as one whose key was there`() async throws {
        let events = [encrypted(0), encrypted(1), event(2, "in clear")]
        let changing = (1...50).map { version(etag: max(3, $0)) }
        let late = [login(), direct] + changing + secrets + [noSession, noSession, session, sync(events, next: "s1")]
        try await listening(to: late, useRecoveryKey) {
            try await archiving.wait(for: KeyBackupSample.body(0))
            try await archiving.wait(for: KeyBackupSample.body(1))
        }
        let other = try MatrixKeyTests()
        let early = [login(), direct] + sameVersion + secrets + [session, sync(events, next: "s1")]
        try await other.listening(to: early, useRecoveryKey) {
            try await other.archiving.wait(for: KeyBackupSample.body(1))
        }
        let (found, expected) = (try await texts(), try await other.texts())
        #expect(found.map(\.body) == ["안녕 0", "안녕 1", "in clear"])
        #expect(found.map(\.body) == expected.map(\.body) && found.map(\.kind) == expected.map(\.kind))
        #expect(found.map(\.flags) == expected.map(\.flags) && found.map(\.remoteID) == expected.map(\.remoteID))
        #expect(found.map(\.sender?.name) == expected.map(\.sender?.name))
        #expect(found.allSatisfy { $0.editedAt == nil })
        for archiving in [archiving, other.archiving] {
            #expect(try archiving.texts("SELECT count(*) FROM message_version") == ["0"])
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `messages that were stored before the recovery key was known get their texts`() async throws {
        try await listening(to: [login(), direct, sync([encrypted(0), event(2, "in clear")], next: "s1")]) {
            try await archiving.wait(for: "in clear")
        }
        #expect(try await texts().map(\.body) == [nil, "in clear"])
        let answers = [login(), direct] + sameVersion + secrets + [session, sync([event(3, "more")], next: "s2")]
        try await listening(to: answers, useRecoveryKey) { try await archiving.wait(for: KeyBackupSample.body(0)) }
        #expect(try await texts().prefix(2).map(\.body) == ["안녕 0", "in clear"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the backup's key is kept, so that the secret storage is read once`() async throws {
        let first = [login(), direct] + sameVersion + secrets + [session, sync([encrypted(0)], next: "s1")]
        try await listening(to: first, useRecoveryKey) { try await archiving.wait(for: KeyBackupSample.body(0)) }
        // Without the secrets' answers, reading them would hang.
        let second = [login(), direct] + sameVersion + [session, sync([encrypted(1)], next: "s2")]
        try await listening(to: second, useRecoveryKey) { try await archiving.wait(for: KeyBackupSample.body(1)) }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a copy of a message stays encrypted, also after a restart`() async throws {
        let first = [login(), direct] + sameVersion + secrets + [session, sync([encrypted(0)], next: "s1")]
        try await listening(to: first, useRecoveryKey) { try await archiving.wait(for: KeyBackupSample.body(0)) }
        let copies = [encrypted(0, id: "$a"), encrypted(0, id: "$b", by: "eve"), encrypted(1, id: "$c", by: "eve")]
        let second = [login(), direct] + sameVersion + [session, sync(copies + [event(9, "end")], next: "s2")]
        try await listening(to: second, useRecoveryKey) { try await archiving.wait(for: "end") }
        let bodies = try await texts().map { "\($0.remoteID ?? "") \($0.body ?? "-")" }
        #expect(Set(bodies) == ["$0 안녕 0", "$a -", "$b -", "$c -", "$9 end"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `without a backup, messages are stored encrypted, and the status says why`() async throws {
        let none = (0..<50).map { _ in
            refusal(
                "404 Not Found", #"{"errcode": "M_NOT_FOUND", "error": "No backup found"}"#, to: "/room_keys/version")
        }
        try await listening(
            to: [login(), direct] + none + [sync([encrypted(0), event(2, "in clear")], next: "s1")], useRecoveryKey
        ) {
            try await archiving.wait(for: "in clear")
            await archiving.reports.wait { $0.contains { $0.lastError?.contains("no key backup") ?? false } }
        }
        #expect(try await texts().map(\.body) == [nil, "in clear"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a wrong passphrase is reported`() async throws {
        let again = (0..<20).flatMap { _ in secrets }
        try await listening(
            to: [login(), direct] + sameVersion + again + [sync([encrypted(0)], next: "s1")],
            { use(MatrixRecovery(key: nil, passphrase: "wrong"), &$0) }
        ) {
            await archiving.reports.wait { $0.contains { $0.lastError?.contains("the passphrase is wrong") ?? false } }
        }
    }
}
