import Foundation
import TestSupport
import Testing

/// An encrypted room of a real homeserver, read with the account's key backup.
@Suite(
    .timeLimit(.minutes(MachineSpeed.minutes(10))),
    .enabled(if: MatrixServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .disabled(if: QuickCheck.isRunning))
struct MatrixKeyBackupEndToEndTests {
    private let scrollback: Program

    init() throws { scrollback = try Program() }

    /// A person's client, which sends encrypted messages and fills the archive owner's backup.
    private func client(_ arguments: String...) async throws -> String {
        let python = try #require(Tool.findInVenv("python"))
        let script = "\(#filePath)".components(separatedBy: "/EndToEndTests/")[0] + "/Clients/encrypted_room.py"
        let run = try await python.run(["-B", script, scrollback.home + "/client"] + arguments)
        try #require(run.status == 0, "\(run)")
        return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func configure(_ server: MatrixServer, _ owner: MatrixServer.Person, key: String) throws {
        for (name, text) in [("password", owner.password), ("recovery", key)] {
            try scrollback.write(text + "\n", to: name)
            chmod(scrollback.home + "/" + name, 0o600)
        }
        try scrollback.write(
            """
            [[account]]
            name = "matrix"
            network = "matrix"
            server = "\(server.address)"
            user = "\(owner.id)"
            password_file = "password"
            recovery_key_file = "recovery"
            history_days = 30

            """, to: "scrollback.toml")
    }

    private func history(_ found: String, isMet: @escaping (String) -> Bool) async throws {
        try await eventually("the history has \(found)") { () -> Bool? in
            isMet(try await scrollback("history", "--all", "--oneline").output) ? true : nil
        }
    }

    @Test func `an encrypted room is read with the recovery key, live, earlier and late`() async throws {
        let server = try await MatrixServer.shared.value
        let (owner, pia) = (try await server.person("owner"), try await server.person("pia"))
        let encryption =
            #", "initial_state": [{"type": "m.room.encryption", "state_key": "", "content": "#
            + #"{"algorithm": "m.megolm.v1.aes-sha2"}}]"#
        let room = try await pia.makeRoom("비밀", encryption)
        try await owner.join(room)
        let key = try await client("begin", server.address, room, pia.token, owner.id, owner.token)
        for number in 1...10 { _ = try await client("say", "old", "옛날 \(number)") }
        for session in ["old", "live"] { _ = try await client("back-up", session) }
        try configure(server, owner, key: key)
        let check = try await scrollback("config", "check", "--connect")
        #expect(check.status == 0 && check.errors.contains("the recovery key opens the key backup"), "\(check)")

        var listener = try scrollback.start("listen")
        try await history("what was said before") { text in (1...10).allSatisfy { text.contains("옛날 \($0)") } }
        let event = try await client("say", "live", "방금")
        try await history("a live message") { $0.contains("방금") }
        _ = try await client("say", "live", "고침", event)
        try await history("the edit") { $0.contains("고침 (edited)") && !$0.contains("방금") }
        _ = try await client("say", "late", "늦게")
        try await history("a message that waits") { $0.contains("(encrypted)") }
        // The message waits, whether the listener hears its key or a later one does.
        listener.signal(SIGKILL)
        _ = try await listener.result()
        _ = try await client("back-up", "late")
        listener = try scrollback.start("listen")
        try await history("the text whose key came late") { $0.contains("늦게") && !$0.contains("(encrypted)") }
        #expect(try await scrollback("search", "늦게").output.contains("늦게"))
        listener.signal(SIGTERM)
        #expect(try await listener.result().status == 0)
        let whole = try await scrollback("archive", "check")
        #expect(whole.status == 0, "\(whole)")
    }

    @Test func `a recovery key of another account is a warning that says so`() async throws {
        let server = try await MatrixServer.shared.value
        let (owner, pia) = (try await server.person("owner"), try await server.person("pia"))
        let room = try await pia.makeRoom("secret")
        try await owner.join(room)
        _ = try await client("begin", server.address, room, pia.token, owner.id, owner.token)
        try configure(server, owner, key: "EsTc LW2K PGiF wKEA 3As5 g5c4 BXwk qeeJ ZJV8 Q9fu gUMN UE4d")
        let check = try await scrollback("config", "check", "--connect")
        #expect(check.errors.contains("warning: account \"matrix\": encrypted messages stay encrypted"), "\(check)")
        #expect(check.errors.contains("the recovery key belongs to another account"), "\(check)")
    }
}
