import Foundation
import TestSupport
import Testing

@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(10))))
struct WorkspaceTests {
    private struct Made: Decodable {
        var id: String
    }

    private struct Shown: Decodable {
        struct Version: Decodable {
            var body: String
        }

        var versions: [Version]
    }

    @Test(arguments: [1, 2])
    func `an edited message of a workspace is shown with all its versions`(generation: Int) async throws {
        let server = try await SLPServer.start(["--generation", "\(generation)"])
        let scrollback = try Program()
        let workspace = try await make("workspace", #"{"name":"우리"}"#, server)
        let room = try await make("channel", #"{"workspace":"\#(workspace)","name":"a/회의","chats":3}"#, server)
        try configure(scrollback, port: server.port)
        let listener = try await scrollback.startListener()
        try await server.comesTo("the room is heard") { $0.namespaces["/ws-channel-\(room)"] == 1 }

        func stored(_ text: String) async throws {
            try await eventually("\(text) is stored", state: { listener.errors }) {
                try await scrollback("history", "a/회의").output.contains(text) ? true : nil
            }
        }
        // The room can be heard before its messages are fetched.
        try await stored("message 1")
        for (before, after) in [("message 1", "한 번"), ("한 번", "두 번 👋")] {
            let edit = #"{"room":"\#(room)","content":"\#(before)","to":"\#(after)"}"#
            try await server.order("service/edit", edit)
            try await stored(after)
        }
        let edited = try #require(try await scrollback.messages(in: "a/회의").first { $0.body == "두 번 👋" })
        let shown = try await scrollback("show", edited.id)
        #expect(shown.status == 0, "\(shown.errors)")
        let texts = ["version 1", "message 1", "version 2", "한 번", "version 3", "두 번 👋"]
        let places = texts.compactMap { shown.output.range(of: $0)?.lowerBound }
        #expect(places.count == texts.count && places == places.sorted(), "\(shown.output)")
        let detail = try await scrollback("show", edited.id, "--format", "json")
        let versions = try JSONDecoder().decode(Shown.self, from: Data(detail.output.utf8)).versions
        #expect(versions.map(\.body) == ["message 1", "한 번", "두 번 👋"])
        let all = try await scrollback.messages(in: "a/회의").map(\.body)
        #expect(all == ["message 0", "두 번 👋", "message 2"])
        #expect(Set(scrollback.acknowledged) == Set(try await scrollback.messages(in: "a/회의").map(\.id)))
        let counted = try await scrollback.counted()
        #expect(counted.received["message"] == 3)
        #expect(counted.receivedBytes > 0)
        #expect(counted.lastByte != nil && counted.lastSignOfLife == counted.lastByte)
    }

    private func make(_ what: String, _ details: String, _ server: SLPServer) async throws -> String {
        try JSONDecoder().decode(Made.self, from: await server.answer(to: "service/\(what)", details)).id
    }

    private func configure(_ scrollback: Program, port: Int) throws {
        for (name, secret) in [("password", "secret"), ("key", "key")] {
            try scrollback.write(secret, to: name)
            let attributes = [FileAttributeKey.posixPermissions: 0o600]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: scrollback.home + "/" + name)
        }
        try scrollback.write(
            """
            [[account]]
            name = "work"
            network = "slp"
            server = "http://127.0.0.1:\(port)"
            email = "alice@example.net"
            password_file = "password"
            app_key_file = "key"
            sign_of_life_seconds = 1

            """, to: "scrollback.toml")
    }
}
