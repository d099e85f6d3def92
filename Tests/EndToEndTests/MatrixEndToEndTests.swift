import Foundation
import TestSupport
import Testing

/// A Matrix account of the built program.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct MatrixEndToEndTests {
    private let scrollback: Program

    init() throws { scrollback = try Program() }

    private func configure(_ server: String, user: String, password: String) throws {
        try scrollback.write(password + "\n", to: "password")
        chmod(scrollback.home + "/password", 0o600)
        try scrollback.write(
            """
            [[account]]
            name = "matrix"
            network = "matrix"
            server = "\(server)"
            user = "\(user)"
            password_file = "password"

            """, to: "scrollback.toml")
    }

    private func wait(for text: String, in command: String...) async throws {
        try await eventually("\(command) has \"\(text)\"") { () -> Bool? in
            try await scrollback.start(arguments: command).result().output.contains(text) ? true : nil
        }
    }

    /// A homeserver whose room has the sample's messages.
    private func encryptedRoom() async throws -> StalledServer {
        let events = MegolmSample.messages.sorted { $0.key < $1.key }.map { number, text in
            """
            {"type": "m.room.encrypted", "event_id": "$\(number)", "sender": "@alice:x",
             "origin_server_ts": \(1_795_000_000_000 + number), "content": {"algorithm": "m.megolm.v1.aes-sha2",
             "ciphertext": "\(text)", "session_id": "\(MegolmSample.session)", "sender_key": "k", "device_id": "D"}}
            """
        }
        let edit = """
            {"type": "m.room.encrypted", "event_id": "$e", "sender": "@alice:x",
             "origin_server_ts": \(1_795_000_000_500), "content": {"algorithm": "m.megolm.v1.aes-sha2",
             "ciphertext": "\(MegolmSample.edit)", "session_id": "\(MegolmSample.session)",
             "m.relates_to": {"rel_type": "m.replace", "event_id": "$0"}}}
            """
        let foreign = """
            {"type": "m.room.encrypted", "event_id": "$x", "sender": "@alice:x", "origin_server_ts": 1795000001000,
             "content": {"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "AwgA", "session_id": "another"}}
            """
        let sync = """
            {"next_batch": "s1", "rooms": {"join": {"!r:x": {"timeline": {"events":
             [\((events + [edit, foreign]).joined(separator: ","))]}}}}}
            """
        var script = StalledServer.Script()
        script.routes = [
            ("/v3/login", #"{"access_token": "a", "user_id": "@bot:x", "device_id": "D"}"#), ("/m.direct", "{}"),
            ("/joined_rooms", #"{"joined_rooms": ["!r:x"]}"#),
            ("/m.ignored_user_list", "{}"), ("/v3/sync", sync), ("/messages", #"{"chunk": [], "start": "p"}"#),
        ].map { (awaits: $0.0, says: StalledServer.answer($0.1)) }
        return try await StalledServer.start(script, .silent)
    }

    @Test(arguments: [true, false])
    func `room keys from a client decrypt encrypted messages`(isListening: Bool) async throws {
        let server = try await encryptedRoom()
        defer { server.stop() }
        try configure("http://127.0.0.1:\(server.port)", user: "@bot:x", password: "secret")
        try scrollback.write(MegolmSample.file, to: "keys.txt")
        try scrollback.write(MegolmSample.passphrase + "\n", to: "passphrase")
        let listener = try scrollback.start("listen")
        // The edit is a message, too.
        let count = MegolmSample.messages.count + 1
        try await wait(for: "\"encrypted\": \(count + 1)", in: "rooms", "--format", "json")
        #expect(try await scrollback("gaps").output.contains("encrypted: \(count + 1) messages"))
        if !isListening {
            listener.signal(SIGTERM)
            _ = try await listener.result()
        }
        let wrong = try await scrollback("archive", "decrypt", "matrix", "keys.txt", "--passphrase-file", "keys.txt")
        #expect(wrong.status == 1 && wrong.errors.contains("the passphrase is wrong"), "\(wrong)")
        let none = try await scrollback("archive", "decrypt", "matrix", "keys.txt")
        #expect(none.errors.contains("the passphrase is missing") && none.errors.contains("[input]"), "\(none)")
        let other = try await scrollback(
            "archive", "decrypt", "matrix", "passphrase", "--passphrase-file", "passphrase")
        #expect(other.errors.contains("it is not an export of room keys"), "\(other)")
        let done = try await scrollback("archive", "decrypt", "matrix", "keys.txt", "--passphrase-file", "passphrase")
        #expect(done.errors.contains("matrix: \(count) messages decrypted, 1 without a key in this file"), "\(done)")
        let history = try await scrollback("history", "--all").output
        for number in MegolmSample.messages.keys where number > 0 {
            #expect(history.contains(MegolmSample.body(number)), "\(history)")
        }
        #expect(history.contains("\(MegolmSample.editedBody) (edited)"), "\(history)")
        #expect(history.contains("* \(MegolmSample.editedBody)"), "\(history)")
        #expect(try await scrollback("search", "secret 256").output.contains("secret 256"))
        let again = try await scrollback("archive", "decrypt", "matrix", "keys.txt", "--passphrase-file", "passphrase")
        #expect(again.errors.contains("0 messages decrypted, 1 without a key"), "\(again)")
        listener.signal(SIGTERM)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test(.enabled(if: MatrixServer.isAvailable, "needs .venv, which .ci/make-venv makes"))
    func `files are fetched and unread messages counted without a listener`() async throws {
        let server = try await MatrixServer.shared.value
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("pictures")
        try await bot.join(room)
        let place = try await alice.upload("picture bytes", name: "cat.png", at: server.address)
        try await alice.send(#"{"msgtype": "m.image", "body": "cat.png", "url": "\#(place)"}"#, to: room)
        try configure(server.address, user: bot.id, password: bot.password)
        let listener = try scrollback.start("listen")
        try await wait(for: "cat.png", in: "history", "--all")
        listener.signal(SIGTERM)
        #expect(try await listener.result().status == 0)
        let counts = try await scrollback("unread", "--remote", "--format", "json")
        #expect(counts.output.contains(#""service": 1"#), "\(counts)")
        let files = try await scrollback("attachments", "--fetch", "-a", "matrix")
        #expect(files.status == 0 && files.errors.contains("1 file fetched"), "\(files)")
    }
}
