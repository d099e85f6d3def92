import Foundation
import TestSupport
import Testing

/// No server keeps another account from being heard, whatever it sends as fast as it can.
@Suite(.timeLimit(.minutes(3)))
struct StarvationTests {
    /// Lines that are sent again and again; the names of a round are as many as a server can have us remember.
    private static let floods: [[String]] = [
        (0..<50_000).map { ":s RENAME #r\($0) #r\(($0 + 1) % 50_000) :why" },
        (0..<500).flatMap { number in
            [
                ":op!o@h KICK #r0 archiver :out", ":archiver!a@h JOIN #r0",
                ":u\(number)!u@h NICK u\((number + 1) % 500)",
                ":q\(number)!q@h PRIVMSG archiver :hello",
            ]
        },
    ]
    /// What a listener may have in memory, in KiB: that of a release holds 128 MiB, and a debug build has 30 more of code and
    /// data.
    private static let memoryLimit = 160 * 1024
    private static let messages = 100

    private func configure(_ scrollback: Program, good: Int, bad: [Int]) throws {
        func account(_ name: String, _ port: Int, _ room: String) -> String {
            """
            [[account]]
            name = "\(name)"
            network = "irc"
            server = "irc://127.0.0.1:\(port)"
            nick = "archiver"
            rooms = ["\(room)"]

            """
        }
        let accounts = bad.enumerated().map { account("bad\($0.offset)", $0.element, "#r0") }
        try scrollback.write((accounts + [account("good", good, "#ok")]).joined(), to: "scrollback.toml")
    }

    private func peakMemory(_ listener: Run) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(listener.id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? .max
    }

    @Test func `a healthy account's messages are stored while as many servers as there are cores flood theirs`()
        async throws
    {
        let scrollback = try Program()
        let hostile = try Self.floods.map { try FloodServer(room: "#r0", flood: $0) }
        let healthy = try RawServer()
        try configure(scrollback, good: healthy.port, bad: hostile.map(\.port))
        for server in hostile { server.start() }
        defer { for server in hostile { server.stop() } }
        let listener = try scrollback.start("listen")
        defer { listener.signal(SIGKILL) }
        let socket = try await healthy.accept()
        try socket.send(
            ":h 421 * CAP :Unknown command\r\n:h 001 archiver :Welcome\r\n:h 376 archiver :End\r\n"
                + ":archiver!a@h JOIN #ok\r\n:h 353 archiver = #ok :archiver al\r\n:h 366 archiver #ok :End\r\n")
        try await eventually("both floods are heard", state: { listener.errors }) {
            hostile.allSatisfy { $0.sent > 200_000 } ? true : nil
        }
        for number in 1...Self.messages {
            try socket.send(":al!a@h PRIVMSG #ok :number \(number)\r\n")
            try await Task.sleep(for: .milliseconds(10))
        }
        // The floods go on: nothing else may let it be stored.
        let before = hostile.map(\.sent)
        try await eventually("all are stored", state: { listener.errors }) {
            let stored = try? await scrollback.said(in: "good/#ok")
            return stored == (1...Self.messages).map { "al: number \($0)" } ? true : nil
        }
        let status = try await scrollback("status")
        #expect(status.output.contains("good") && status.status == 0, "\(status)")
        try await eventually("the floods go on") {
            zip(hostile, before).allSatisfy { $0.sent > $1 } ? true : nil
        }
        #expect(try peakMemory(listener) < Self.memoryLimit)
        let lines = listener.errors.split(separator: "\n")
        #expect(lines.count < 60, "\(lines.count) lines of log")
        #expect(lines.contains { $0.contains("kicked by op") })
        #expect(lines.filter { $0.contains("a room is not heard") }.count < 25)
    }
}
