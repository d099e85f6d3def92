import Foundation
import TestSupport
import Testing

/// SIGTERM, whatever the peers of a listener do: it ends in 10 s, and what is stored is closed well.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ListenerTerminationTests {
    private typealias Peer = (name: String, server: StalledServer, account: String)

    private func peers(_ stages: [StoppingStage], _ way: StalledServer.Way) async throws -> [Peer] {
        var peers: [Peer] = []
        for stage in stages {
            let server = try await StalledServer.start(stage.script, way)
            let name = "\(stage.name) \(way)".replacing(" ", with: "-").replacing(".", with: "-")
            peers.append((name, server, stage.account(name, port: server.port)))
        }
        return peers
    }

    /// A listener of these accounts whose servers all hang.
    private func start(_ scrollback: Program, _ peers: [Peer], _ more: [String] = []) async throws -> Run {
        try scrollback.write("secret\n", to: "secret")
        #expect(chmod(scrollback.home + "/secret", 0o600) == 0)
        try scrollback.write((peers.map(\.account) + more).joined(separator: "\n"), to: "scrollback.toml")
        let listener = try scrollback.start("listen")
        for peer in peers {
            try await eventually("\(peer.name) hangs", state: { listener.errors }) {
                peer.server.stalled.value > 0 ? true : nil
            }
        }
        return listener
    }

    @Test
    func `a listener and a removed account stop in order at every stage where servers can hang`()
        async throws
    {
        let scrollback = try Program()
        let (silent, trickling) = (
            try await peers(StoppingStage.all, .silent), try await peers(StoppingStage.all, .trickling)
        )
        defer { for peer in silent + trickling { peer.server.stop() } }
        let (full, nobody) = (try FullServer(), try RawServer().port)
        let unreached = [StoppingStage.streamChat[0], StoppingStage.irc[1], StoppingStage.workspaces[0]].flatMap {
            [
                $0.account("connecting-\($0.network)", port: full.port),
                $0.account("waiting-\($0.network)", port: nobody),
            ]
        }
        let listener = try await start(scrollback, silent + trickling, unreached)
        // Half of the accounts leave while their servers hang.
        try scrollback.write((silent.map(\.account) + unreached).joined(separator: "\n"), to: "scrollback.toml")
        listener.signal(SIGHUP)
        try await listener.says("configuration reloaded")
        let result = try await listener.stop()
        #expect(result.status == 0)
        #expect(!result.errors.contains("[not-stored]"))
        #expect(try await scrollback.start("archive", "check").result(within: .seconds(200)).status == 0)
    }

    @Test func `a listener stops in order while name lookups hang`() async throws {
        let program = try Program()
        let lookup = program.home + "/lookup"
        let scrollback = program.with(["LOOKUP": lookup])
        try scrollback.write("secret\n", to: "secret")
        #expect(chmod(scrollback.home + "/secret", 0o600) == 0)
        let stages = [StoppingStage.streamChat[0], StoppingStage.irc[1], StoppingStage.workspaces[0]]
        let accounts = stages.map { $0.account("\($0.network)", port: 1).replacing("127.0.0.1", with: "localhost") }
        try scrollback.write(accounts.joined(separator: "\n"), to: "scrollback.toml")
        let listener = try scrollback.start("listen")
        try await eventually("a name is looked up", state: { listener.errors }) {
            FileManager.default.fileExists(atPath: lookup) ? true : nil
        }
        let result = try await listener.stop()
        #expect(result.status == 0)
        #expect(!result.errors.contains("[not-stored]"))
    }

    @Test func `a listener stops within the deadline when servers flood it, with a sound archive`() async throws {
        let scrollback = try Program()
        let stages =
            Torture.isWhole
            ? StoppingStage.all
            : StoppingStage.all.filter { ["irc nicks", "irc kicks", "workspace hearing"].contains($0.name) }
        let peers = try await peers(stages, .flooding)
        defer { for peer in peers { peer.server.stop() } }
        let listener = try await start(scrollback, peers)
        let start = ContinuousClock.now
        let result = try await listener.stop()
        // 10 s, and what a busy machine takes to notice.
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(result.status == 0 || result.errors.contains("[not-stored]"), "\(result.errors.suffix(2000))")
        for peer in peers { peer.server.stop() }
        #expect(try await scrollback.start("archive", "check").result(within: .seconds(200)).status == 0)
    }

    @Test func `a listener whose storing hangs stops within 10 s of SIGTERM and names the account`()
        async throws
    {
        let scrollback = try Program()
        let server = try await StalledServer.start(StoppingStage.streamChat[2].script, .flooding)
        defer { server.stop() }
        try scrollback.write(StoppingStage.streamChat[2].account("hung", port: server.port), to: "scrollback.toml")
        // Nobody reads what is acknowledged.
        let listener = try scrollback.start(
            arguments: ["listen", "--ack-fd", "3"], shell: #"mkfifo acks; exec "$@" 3<>acks"#)
        try await eventually("as much is stored as can be acknowledged", state: { listener.errors }) {
            server.stalled.value > 0 ? true : nil
        }
        let counts = try await eventually("nothing more is stored") { () -> Int64? in
            let before = try await scrollback.counted().received["message"] ?? 0
            guard before > 1000 else { return nil }
            try await Task.sleep(for: .milliseconds(300))
            return try await scrollback.counted().received["message"] == before ? before : nil
        }
        let result = try await listener.stop()
        #expect(result.status == 1)
        #expect(result.errors.contains("did not end within 9.5 seconds, because of account \"hung\""))
        #expect(result.errors.contains("events not stored"))
        #expect(try await scrollback.start("archive", "check").result(within: .seconds(200)).status == 0)
        #expect(counts > 1000)
    }
}
