import Foundation
import TestSupport
import Testing

/// `scrollback chat` for scripts.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ChatPipeTests {
    @Test(arguments: ["chunk", "nul", "lf"])
    func `each line is sent as a message in order, and arriving messages are shown`(framing: String) async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer(framing: framing)
        let bob = try await ChatSocket.joined("bob", port: server.port)
        try scrollback.write("안녕하세요\r\n\nhello\ne\u{301} 👨‍👩‍👧‍👦", to: "lines")
        let alice = try scrollback.start(
            arguments: chat(server, "alice", "--framing", framing), shell: #""$@" < lines"#)
        let result = try await alice.result()
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        try await bob.waitFor("alice has left")
        let said = ["안녕하세요", "hello", "e\u{301} 👨‍👩‍👧‍👦"]
        let places = try said.map { try #require(bob.text.range(of: "alice::\($0)")).lowerBound }
        #expect(places == places.sorted())
        let lines = result.output.split(separator: "\n").map { String($0.dropFirst(7)) }
        #expect(lines.dropFirst() == said.map { "alice  \($0)" }[...])
    }

    @Test func `two people in a room receive each other's messages`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer(framing: "chunk")
        let bob = try scrollback.start(arguments: chat(server, "bob", "--stay"))
        let carol = try await ChatSocket.joined("carol", port: server.port)
        try await eventually("bob hears") { bob.output.contains("carol  here") ? true : try again(carol) }
        let alice = try scrollback.start(arguments: chat(server, "alice"), shell: #"echo 안녕 | "$@""#)
        #expect(try await alice.result().status == 0)
        try await eventually("bob hears alice", state: { bob.output }) {
            bob.output.contains("alice has left") ? true : nil
        }
        #expect(bob.output.contains("alice  안녕\n"))
        let end = try await bob.stop(SIGINT)
        #expect(end.status == 0)
        #expect(end.errors.isEmpty)
        try await carol.waitFor("bob has left")
    }

    @Test func `a line that can't be sent is reported with its number, and the others are sent`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        let bob = try await ChatSocket.joined("bob", port: server.port)
        let longest = String(repeating: "가", count: 300)
        let bytes =
            Array("one\nMSG::two\n\(longest)\n\(longest)나\n::END\u{301}\n".utf8) + [0xFF, 0x0A]
            + [UInt8](repeating: 0x61, count: 100_000) + Array("\nseven\u{1B}[m\nlast".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: scrollback.home + "/lines"))
        let alice = try scrollback.start(
            arguments: chat(server, "alice", "--framing", "nul"), shell: #""$@" < lines"#)
        let result = try await alice.result()
        #expect(result.status == 1)
        try await bob.waitFor("alice has left")
        #expect(bob.text.contains("alice::one\0alice::\(longest)\0alice::last\0alice has left"))
        #expect(
            result.errors == """
                scrollback: line 2 was not sent: the message contains "MSG::", which StreamChat reserves
                scrollback: line 4 was not sent: the message has 301 characters, more than the limit of 300
                scrollback: line 5 was not sent: the message contains "::END", which StreamChat reserves
                scrollback: line 6 was not sent: the message is not UTF-8
                scrollback: line 7 was not sent: the message has over 16384 bytes
                scrollback: line 8 was not sent: the message contains a control character, \\u{1B}
                scrollback: 6 of 9 lines were not sent; the reasons are above [not-sent]

                """)
    }

    @Test func `a line that clients of 2021-04 would truncate is reported and sent`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer(revision: "2021-04")
        try scrollback.write("a::b\nfine\nc::\n", to: "lines")
        let alice = try scrollback.start(
            arguments: chat(server, "alice", "--framing", "nul", "--revision", "2021-04"), shell: #""$@" < lines"#)
        let result = try await alice.result()
        #expect(result.status == 0)
        #expect(
            result.errors == """
                scrollback: line 1 is sent, but clients of 2021-04 show only "b": they drop what is before the last "::"
                scrollback: line 3 is sent, but clients of 2021-04 show nothing: they drop what is before the last "::"

                """)
        for said in ["a::b", "fine", "c::"] { #expect(result.output.contains("alice  \(said)\n"), "\(result.output)") }
    }

    @Test func `a script has no commands, and each line is sent unchanged`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        let bob = try await ChatSocket.joined("bob", port: server.port)
        try scrollback.write("/quit\n//x\n/me waves\n/help\nlast\n", to: "lines")
        let alice = try scrollback.start(
            arguments: chat(server, "alice", "--framing", "nul"), shell: #""$@" < lines"#)
        #expect(try await alice.result().status == 0)
        try await bob.waitFor("alice has left")
        #expect(bob.text.contains("alice::/quit\0alice:://x\0alice::/me waves\0alice::/help\0alice::last\0"))
    }

    @Test func `without input, the command joins and leaves`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer(framing: "lf")
        let bob = try await ChatSocket.joined("bob", port: server.port)
        let result = try await scrollback.start(arguments: chat(server, "alice", "--framing", "lf")).result()
        #expect(result.status == 0)
        try await bob.waitFor("alice has joined\nalice has left\n")
    }

    @Test func `a server that disconnects is reported with the unsent lines`() async throws {
        let scrollback = try Program()
        let server = try RawServer()
        let alice = try scrollback.start(
            arguments: chat(port: server.port, "alice"), shell: #"printf 'one\ntwo\nthree\n' | "$@""#)
        var client: ChatSocket? = try await server.accept()
        try await client?.waitFor("MSG::one::END")
        try client?.send("alice::one")
        try await client?.waitFor("MSG::two::END")
        client = nil
        let result = try await alice.result()
        #expect(result.status == 1)
        #expect(result.output.contains("alice  one\n"))
        #expect(
            result.errors.contains(
                "; the server may not have received \"two\"; the lines after line 2 of stdin were not sent [connection]\n"
            ))
    }

    @Test func `a server that stops reading doesn't delay leaving`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        let alice = try scrollback.start(arguments: chat(server, "alice", "--framing", "nul", "--stay"))
        let bob = try await ChatSocket.joined("bob", port: server.port)
        try await eventually("alice hears") { alice.output.contains("bob  here") ? true : try again(bob) }
        server.run.signal(SIGSTOP)
        #expect(try await alice.stop(SIGTERM).status == 0)
        server.run.signal(SIGCONT)
        try await bob.waitFor("alice has left")
    }

    @Test(arguments: [false, true])
    func `a reader that ignores the output delays nothing`(serverEnds: Bool) async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        let bob = try await ChatSocket.joined("bob", port: server.port)
        let alice = try scrollback.start(
            arguments: chat(server, "alice", "--framing", "nul", "--stay"),
            shell: #"exec "$@" > >(echo $BASHPID > reader; exec sleep 100)"#)
        try await bob.waitFor("alice has joined")
        let text = String(repeating: "가", count: 300)
        for _ in 0..<400 { try bob.send("MSG::\(text)::END") }
        try await bob.say("end", as: "bob")
        if serverEnds { _ = try await server.run.stop(SIGTERM) }
        alice.signal(SIGTERM)
        if !serverEnds { try await bob.waitFor("alice has left") }
        try await eventually("its end") {
            let state = try? String(contentsOfFile: "/proc/\(alice.id)/stat", encoding: .utf8)
            return state?.contains(") Z ") ?? true ? true : nil
        }
        let reader = try String(contentsOfFile: scrollback.home + "/reader", encoding: .utf8)
        kill(try #require(pid_t(reader.trimmingCharacters(in: .newlines))), SIGKILL)
        // It may have learnt of the server's end before it was told to leave.
        #expect(try await [0, serverEnds ? 1 : 0].contains(alice.result().status))
    }

    @Test func `closing the output early ends the command quietly`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        let bob = try await ChatSocket.joined("bob", port: server.port)
        let alice = try scrollback.start(
            arguments: chat(server, "alice", "--framing", "nul", "--stay"),
            shell: #"set -o pipefail; "$@" | head -n 2"#)
        try await eventually("alice ends", state: { alice.errors }) { alice.isRunning ? try again(bob) : true }
        let result = try await alice.result()
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        try await bob.waitFor("alice has left")
    }

    @Test(arguments: ["elevenchars", "a::b", ""])
    func `an impossible name is wrong usage`(name: String) async throws {
        let result = try await Program()("chat", "tcp://127.0.0.1:1", "--name", name)
        #expect(result.status == 64)
        #expect(result.errors.contains("the name "))
    }

    @Test func `a failed connection is reported`() async throws {
        let result = try await Program()("chat", "tcp://127.0.0.1:1", "--name", "alice")
        #expect(result.status == 1)
        #expect(result.errors.contains("127.0.0.1:1 refused the connection"))
        #expect(try await Program()("chat", "localhost:1", "--name", "alice").status == 64)
    }

    @Test func `without END frames, the server still separates a join from the first message`() async throws {
        let scrollback = try Program()
        let run = try scrollback.start("room-server", "--port", "0", "--framing", "lf", "--revision", "2021-04")
        try await run.says("room server ready")
        let port = try #require(run.errors.split(separator: "port=").last?.prefix { $0.isNumber })
        let alice = try scrollback.start(
            arguments: chat(port: try #require(Int(port)), "alice", "--framing", "lf", "--revision", "2021-04"),
            shell: #"(echo one; echo two) | "$@""#)
        let result = try await alice.result()
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("alice  two\n"))
        #expect(result.output.contains("alice  one\n"))
    }

    private func again(_ socket: ChatSocket) throws -> Bool? {
        try socket.send("MSG::here::END")
        return nil
    }

    private func chat(_ server: Program.Server, _ name: String, _ arguments: String...) -> [String] {
        chat(port: server.port, name, arguments: arguments)
    }

    private func chat(port: Int, _ name: String, _ arguments: String...) -> [String] {
        chat(port: port, name, arguments: arguments)
    }

    private func chat(port: Int, _ name: String, arguments: [String]) -> [String] {
        ["chat", "tcp://127.0.0.1:\(port)", "--name", name] + arguments
    }
}
