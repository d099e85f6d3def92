import Foundation
import TestSupport
import Testing

/// Connections that nobody uses, where the process may have few descriptors.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ConnectionTests {
    private func port(of address: some StringProtocol) throws -> Int {
        try #require(address.split(separator: ":").last.flatMap { Int($0) })
    }

    @Test func `idle connections take no descriptor of the listener and block no reader`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let configuration = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        try scrollback.write("[serve]\nlisten = \"127.0.0.1:0\"\n\n" + configuration, to: "scrollback.toml")
        // The listener needs 188, and its server 128 at least.
        let listener = try scrollback.start(arguments: ["listen"], shell: #"ulimit -n 330; exec "$@""#)
        try await listener.says("serving")
        let address = try #require(listener.errors.firstMatch(of: /address=(http:\/\/[0-9.:]+)/)?.1)
        try await scrollback.connected(listener)

        let held = try HeldConnections(port: port(of: address), count: 400)
        let client = WebClient(
            server: String(address), headers: ["Authorization": "Bearer \(try await scrollback.token("all"))"])
        for _ in 0..<5 {
            let answer = try await client.get("/api/v1/status")
            #expect(
                answer.status == 200 && answer.body.contains("\"account\": \"a1\""), "\(answer.status) \(answer.body)")
        }
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(listener.id)/fd").count
        #expect(descriptors < 330 - 100, "\(descriptors) descriptors")
        // A new connection to the network, its session and its lock need descriptors.
        _ = try await server.run.stop()
        let again = try await scrollback.startServer(port: server.port)
        try await eventually("the listener connects again", state: { listener.errors }) {
            try await scrollback("status", "--format", "jsonl").output.contains("\"reconnects\": 1") ? true : nil
        }
        try await scrollback.connected(listener)
        #expect(!listener.errors.contains("Too many open files"), "\(listener.errors)")
        withExtendedLifetime((held, again)) {}
        #expect(try await listener.stop().status == 0)
    }

    @Test func `a server without a listener answers beside idle connections`() async throws {
        let archive = try ServedArchive()
        try await archive.fill(5)
        let run = try archive.scrollback.start(
            arguments: ["serve", "--listen", "127.0.0.1:0"], shell: #"ulimit -n 200; exec "$@""#)
        let printed = try await eventually("the address", state: { run.errors }) {
            run.output.split(separator: "/?key=").first.map(String.init)
        }
        let token = try await archive.scrollback.token("all")
        let client = WebClient(server: printed, headers: ["Authorization": "Bearer \(token)"])
        let held = try HeldConnections(port: port(of: printed), count: 300)
        // While many connections come at once, each takes a descriptor until an older one has closed.
        try await eventually("readers are served", state: { run.errors }) {
            try await client.get("/api/v1/rooms").status == 200 ? true : nil
        }
        for _ in 0..<20 {
            let answer = try await client.get("/api/v1/rooms")
            #expect(answer.status == 200, "\(answer.body)")
        }
        #expect(!run.errors.contains("Too many open files"), "\(run.errors)")
        withExtendedLifetime(held) {}
    }
}
