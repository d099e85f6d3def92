import Foundation
import TestSupport
import Testing

struct MetricsEndToEndTests {
    /// The port that a listener's log tells.
    private func port(of listener: Run) async throws -> Int {
        try await listener.says("metrics ready")
        let text = listener.errors.split(separator: "metrics ready").last?.split(separator: "port=").last
        return try #require(text.flatMap { Int($0.prefix { $0.isNumber }) })
    }

    private func metrics(port: Int) async throws -> String {
        let socket = try ChatSocket(port: port)
        try socket.send("GET /metrics?detail=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        // The last figure's last line.
        try await socket.waitFor("scrollback_commit_duration_seconds_count")
        return socket.text
    }

    private func value(_ name: String, in text: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix(name) }?.split(separator: " ").last.flatMap { Double($0) }
    }

    @Test func `metrics and status agree, while a room is live and after its server is gone`() async throws {
        let program = try Program()
        let server = try await program.startServer()
        try program.configure(ports: server.port)
        let listener = try await program.startListener("--metrics", "127.0.0.1:0")
        let port = try await port(of: listener)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let labels = #"{account="a1""#
        let text = try await eventually("one message") { () -> String? in
            let text = try await metrics(port: port)
            return value(#"scrollback_messages_total\#(labels),kind="message"}"#, in: text) == 1 ? text : nil
        }
        #expect(value("scrollback_connected\(labels)", in: text) == 1)
        #expect(value("scrollback_gaps\(labels)", in: text) == 0)
        #expect(value("scrollback_received_bytes_total\(labels)", in: text) ?? 0 > 0)
        #expect(value("scrollback_last_byte_timestamp_seconds\(labels)", in: text) != nil)
        let status = try await program("status", "--format", "csv").output
        #expect(status.contains("received_message"))
        withExtendedLifetime(alice) {}
        _ = try await server.run.stop()
        try await eventually("a gap") { () -> Bool? in
            let text = try await metrics(port: port)
            return value("scrollback_gaps\(labels)", in: text) == 1
                && value("scrollback_connected\(labels)", in: text) == 0
                ? true : nil
        }
        #expect(try await listener.stop().status == 0)
        let files = try await program("status", "--format", "jsonl").output
        #expect(files.contains(#""counted_since": null"#))
        #expect(files.contains(#""received": {"message": null"#))
        #expect(!files.contains(#""last_byte": null"#))
    }

    @Test func `a metrics port in use ends the listener before it listens`() async throws {
        let program = try Program()
        let server = try await program.startServer()
        try program.configure(ports: server.port)
        let result = try await program("listen", "--metrics", "127.0.0.1:\(server.port)")
        #expect(result.status == 1)
        #expect(result.errors.contains("port \(server.port): Address already in use; choose another port"))
        #expect(!result.errors.contains("listening"))
        let refused = try await program("listen", "--metrics", "0.0.0.0:9187")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("ssh -L 9187:127.0.0.1:9187"))
    }
}
