import Foundation
import TestSupport
import Testing

/// No server keeps another account from being heard, whatever it sends as fast as it can.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct StarvationTests {
    /// As many as most small machines have cores.
    private static let servers = 2
    /// The limit of a listener's memory, in KiB: 96 MiB, and 64 KiB for each connection. A debug build has some 30 MiB more
    /// of code and data, and its peaks differ more.
    private static let memoryLimit = Program.isPacked ? 96 * 1024 + (servers + 1) * 64 : 160 * 1024
    /// Lines of log that a flood of two accounts may cause: some kinds, 20 of each.
    private static let logLimit = 200

    private static func account(_ name: String, _ network: Flood.Network, _ port: Int, room: String) -> String {
        let settings =
            switch network {
            case .irc: "server = \"irc://127.0.0.1:\(port)\"\nnick = \"archiver\"\nrooms = [\"\(room)\"]"
            case .streamchat: "server = \"tcp://127.0.0.1:\(port)\"\nnick = \"archiver\""
            case .slp:
                """
                server = "http://127.0.0.1:\(port)"
                generation = 2
                email = "alice@example.net"
                password_file = "secret"
                app_key_file = "secret"
                attachments = "all"
                """
            case .matrix:
                """
                server = "http://127.0.0.1:\(port)"
                user = "@archiver:x"
                password_file = "secret"
                attachments = "all"
                """
            case .xmpp:
                """
                jid = "archiver@x"
                server = "tcp://127.0.0.1:\(port)"
                password_file = "secret"
                rooms = ["r0@m"]
                direct = true
                """
            }
        return "[[account]]\nname = \"\(name)\"\nnetwork = \"\(network)\"\n\(settings)\n\n"
    }

    private func configure(_ scrollback: Program, good: Int, bad: [FloodServer]) throws {
        try scrollback.write("secret\n", to: "secret")
        chmod(scrollback.home + "/secret", 0o600)
        let accounts = bad.enumerated().map {
            Self.account("bad\($0.offset)", $0.element.flood.network, $0.element.port, room: "#r0")
        }
        try scrollback.write(
            (accounts + [Self.account("good", .irc, good, room: "#ok")]).joined(), to: "scrollback.toml")
    }

    private func peakMemory(_ listener: Run) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(listener.id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? .max
    }

    /// One flood after the other: two of them would take each other's cores, and cases of their own would wait for all other tests
    /// in between.
    @Test func `a healthy account's messages are stored while other servers flood every core`() async throws {
        for flood in Flood.chosen { try await storesBeside(flood) }
    }

    private func storesBeside(_ flood: Flood) async throws {
        let scrollback = try Program()
        let hostile = try (0..<Self.servers).map { _ in try FloodServer(flood) }
        let healthy = try RawServer()
        try configure(scrollback, good: healthy.port, bad: hostile)
        for server in hostile { server.start() }
        defer { for server in hostile { server.stop() } }
        let listener = try scrollback.start("listen")
        defer { listener.signal(SIGKILL) }
        let socket = try await healthy.accept()
        try socket.send(
            ":h 421 * CAP :Unknown command\r\n:h 001 archiver :Welcome\r\n:h 376 archiver :End\r\n"
                + ":archiver!a@h JOIN #ok\r\n:h 353 archiver = #ok :archiver al\r\n:h 366 archiver #ok :End\r\n")
        try await eventually("both floods are heard", state: { listener.errors }) {
            hostile.allSatisfy { $0.sent > 100_000 } ? true : nil
        }
        let watch = try StoredWatch(
            Torture.isWhole ? 500 : 100, every: .milliseconds(10), to: socket, room: "#ok", folder: scrollback.data,
            account: "good", timeout: .seconds(60))
        let stored = await watch.measurement()
        #expect(stored.missing == 0, "\(flood): \(stored.missing) messages are not stored. \(listener.errors)")
        let begun = ContinuousClock.now
        let status = try await scrollback("status")
        let statusTime = ContinuousClock.now - begun
        #expect(status.output.contains("good") && status.status == 0, "\(flood): \(status)")
        let (memory, lines) = try (peakMemory(listener), listener.errors.split(separator: "\n"))
        #expect(listener.isRunning, "\(flood): \(listener.errors)")
        #expect(memory < Self.memoryLimit, "\(flood): \(memory / 1024) MiB")
        #expect(lines.count < Self.logLimit, "\(flood): \(lines.count) lines of log")
        if Torture.isWhole {
            print(
                "| \(flood.testDescription) | \(Self.milliseconds(stored.p99)) | \(memory / 1024) |",
                "\(Self.milliseconds(statusTime)) | \(lines.count) | \(hostile.map(\.sent).reduce(0, +) / 1_000_000) |")
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
}
