import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct DemoTests {
    @Test func `the demo archives its own messages, ends and leaves nothing behind`() async throws {
        let scrollback = try Program()
        let result = try await scrollback("demo")
        #expect(result.status == 0, "\(result.errors)")
        let said = result.output.matches(of: /(?m)^    (\S+): (.+)$/).map { ($0.1, $0.2) }
        #expect(said.count > 10)
        let counts = try #require(result.output.firstMatch(of: /: (\d+) messages sent, (\d+) archived. .*: (\d+) sent/))
        #expect(counts.1 == counts.2)
        #expect(Int(counts.1).map { $0 + (Int(counts.3) ?? 0) } == said.count)
        for (name, text) in said.suffix(4) {
            #expect(
                result.output.contains(
                    try Regex("\\d\\d:\\d\\d +\(name)  \(NSRegularExpression.escapedPattern(for: String(text)))")))
        }
        for command in ["rooms", "history classroom/lobby -n 8", "gaps", "status", "history classroom/lobby --before"] {
            #expect(result.output.contains("\n$ scrollback \(command)"))
        }
        #expect(result.output.contains("the listener was stopped; nothing can fill it ---"))
        #expect(try left(by: scrollback).isEmpty)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted demo leaves nothing behind`(signal: Int32) async throws {
        let scrollback = try Program()
        let run = try scrollback.start("demo")
        try await eventually("people talk") { run.output.contains("bob:") ? true : nil }
        let result = try await run.stop(signal)
        #expect(result.status == 128 + signal)
        #expect(result.errors.isEmpty)
        #expect(try left(by: scrollback).isEmpty)
    }

    @Test func `demo --keep-running archives whoever joins with nc, and serves pages`()
        async throws
    {
        let scrollback = try Program()
        let run = try scrollback.start("demo", "--keep-running")
        let (port, data) = try await eventually("the address", state: { run.output + run.errors }) {
            run.output.firstMatch(of: /nc 127.0.0.1 (\d+)[^$]+SCROLLBACK_DATA=(\S+)/).map { (Int($0.1), String($0.2)) }
        }
        let socket = try ChatSocket(port: try #require(port))
        // A terminal sends a line, its line feed included.
        try socket.send("USR_NAME::me::END\n")
        try socket.send("MSG::hello::END\n")
        try await socket.waitFor("me::hello\n")
        try await eventually("it is archived") {
            try await scrollback("tail", "-n", "1", "--data", data).output.contains("me  hello") ? true : nil
        }
        let address = try await eventually("the page's address", state: { run.output }) {
            run.output.firstMatch(of: /(http:\/\/127.0.0.1:\d+)(\/\?key=\S+)/).map { (String($0.1), String($0.2)) }
        }
        let entry = try await WebClient(server: address.0).get(address.1)
        let cookie = entry.header("Set-Cookie")?.split(separator: ";").first.map(String.init) ?? ""
        let page = try await WebClient(server: address.0, headers: ["Cookie": cookie]).get("/")
        #expect(page.status == 200 && page.body.contains("lobby"))
        #expect(try await run.stop(SIGINT).status == 0)
        #expect(try left(by: scrollback).isEmpty)
    }

    @Test func `a demo whose output is closed ends quietly`() async throws {
        let scrollback = try Program()
        let run = try scrollback.start(arguments: ["demo"], shell: #""$@" | head -1; exit ${PIPESTATUS[0]}"#)
        let result = try await run.result()
        #expect(result.status == 0)
        #expect(result.output.split(separator: "\n").count == 1)
        #expect(result.errors.isEmpty)
        #expect(try left(by: scrollback).isEmpty)
    }

    private func left(by scrollback: Program) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scrollback.temporary)
            + FileManager.default.contentsOfDirectory(atPath: scrollback.home + "/data")
            + FileManager.default.contentsOfDirectory(atPath: scrollback.home).filter { $0 != "data" }
    }
}
