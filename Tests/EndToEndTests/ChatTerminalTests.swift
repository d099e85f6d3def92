import Foundation
import TestSupport
import Testing

/// `scrollback chat` for people, on a terminal.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ChatTerminalTests {
    private let scrollback: Program
    private let server: Program.Server
    private let bob: ChatSocket

    init() async throws {
        scrollback = try Program()
        server = try await scrollback.startServer()
        bob = try await ChatSocket.joined("bob", port: server.port)
    }

    @Test func `a person types, corrects, sends, gets a refusal and leaves`() async throws {
        let terminal = try await alice()
        #expect(!terminal.isCooked)
        try terminal.type("안녕핫")
        try await terminal.shows("  3/300> 안녕핫")
        try terminal.type("\u{7F}하\r")
        try await bob.waitFor("alice::안녕하\0")
        try await terminal.shows("alice  안녕하")
        try bob.send("MSG::\u{1B}]0;x\u{7}hi::END")
        try await terminal.shows("bob  \\u{1B}]0;x\\u{7}hi")
        terminal.forget()
        try terminal.type(String(repeating: "가", count: 301))
        try await terminal.shows("301/300! ")
        try terminal.type("\r")
        try await terminal.shows("not sent: the message has 301 characters, more than the limit of 300")
        try terminal.type("\u{15}MSG::\r")
        try await terminal.shows("not sent: the message contains \"MSG::\"")
        try terminal.type("\u{15}👨‍👩‍👧‍👦e\u{301}\u{7F}\r")
        try await bob.waitFor("alice::👨‍👩‍👧‍👦\0")
        #expect(bob.text.components(separatedBy: "alice::").count == 3, "nothing refused was sent")
        terminal.forget()
        try terminal.type("\u{4}")
        #expect(try await terminal.status() == 0)
        try await bob.waitFor("alice has left\0")
        #expect(terminal.text.hasSuffix("\r\u{1B}[J\u{1B}[?2004l"))
        #expect(terminal.isCooked)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal leaves the room, reports unsent text and restores the terminal`(signal: Int32) async throws {
        let terminal = try await alice()
        try terminal.type("안녕")
        try await terminal.shows("  2/300> 안녕")
        terminal.signal(signal)
        #expect(try await terminal.status() == 0)
        try await bob.waitFor("alice has left\0")
        try await terminal.shows("scrollback: not sent: \"안녕\"")
        #expect(terminal.isCooked)
    }

    @Test func `all settings of the terminal are restored, whatever ends the command`() async throws {
        let quiet = try scrollback.startOnTerminal(command: ["/bin/sleep", "0"])
        #expect(try await quiet.status() == 0)
        let terminal = try await alice()
        try terminal.type("typed")
        try await terminal.shows("  5/300> typed")
        server.run.signal(SIGKILL)
        #expect(try await terminal.status() == 1)
        #expect(terminal.flags == quiet.flags)
        try await terminal.shows("; not sent: \"typed\"")
    }

    @Test func `a key or a code point can arrive in parts, and a paste sends nothing`() async throws {
        let terminal = try await alice()
        for byte in Array("한\u{1B}[200~글\nx\u{1B}[201~\u{1B}[D\u{1B}[3~!".utf8) { try terminal.type([byte]) }
        try await terminal.shows(" 한글 !")
        try terminal.type([0xFF, 0xEA, 0x0D])
        try await bob.waitFor("alice::한글 !\0")
        try terminal.type("\u{4}")
        #expect(try await terminal.status() == 0)
    }

    @Test func `a slash begins a command, and an unknown one is not sent`() async throws {
        let terminal = try await alice()
        try terminal.type("/help\r")
        try await terminal.shows("/me TEXT   Send *TEXT*: what you do, such as *waves*.\r\n")
        try terminal.type("/etc/안녕\r")
        try await terminal.shows(
            "not sent: no command /etc/안녕; /help lists the commands;")
        try terminal.type("\u{15}//etc\r/me 손을 흔든다\r/me\r")
        try await bob.waitFor("alice::/etc\0")
        try await bob.waitFor("alice::*손을 흔든다*\0")
        try await terminal.shows("not sent: /me needs a text")
        #expect(!bob.text.contains("안녕"))
        try terminal.type("\u{15}/quit\r")
        #expect(try await terminal.status() == 0)
        try await bob.waitFor("alice has left\0")
        #expect(terminal.isCooked)
    }

    @Test func `a text that clients of 2021-04 would truncate needs a second Enter`() async throws {
        let server = try await scrollback.startServer(revision: "2021-04")
        let terminal = try scrollback.startOnTerminal(
            "chat", "tcp://127.0.0.1:\(server.port)", "--name", "alice", "--framing", "nul", "--color", "never",
            "--revision", "2021-04")
        try await terminal.shows("joined as alice")
        try terminal.type("a::b\r")
        try await terminal.shows("not sent: clients of 2021-04 show only \"b\"")
        try terminal.type("c\r")
        try await terminal.shows("not sent: clients of 2021-04 show only \"bc\"")
        #expect(!terminal.text.contains("alice  a::b"), "another text needs another confirmation")
        terminal.forget()
        try terminal.type("\r")
        try await terminal.shows("alice  a::bc")
        try terminal.type("\u{4}")
        #expect(try await terminal.status() == 0)
    }

    @Test func `a new width shows another part of the line`() async throws {
        let terminal = try await alice()
        try terminal.type("가나다라마바사아자차카타파하")
        try await terminal.shows("가나다라마바사아자차카타파하")
        terminal.forget()
        terminal.resize(columns: 20, rows: 10)
        try await terminal.shows(" 14/300> …파하\r")
        try terminal.type("\u{3}")
        #expect(try await terminal.status() == 0)
    }

    @Test func `a dead server delays leaving for a limited time, and a second Ctrl-C ends it at once`() async throws {
        let terminal = try await alice()
        server.run.signal(SIGSTOP)
        try terminal.type("lost\r\u{3}\u{3}")
        // The kernel of a server that stands still has it all the same.
        #expect([0, 1].contains(try await terminal.status()))
        #expect(terminal.isCooked)
        server.run.signal(SIGCONT)
    }

    @Test func `a suspended chat restores the terminal, and takes it again when it continues`() async throws {
        let shell = try scrollback.startOnTerminal(command: ["/bin/bash", "--norc", "--noediting", "-i"])
        try shell.type(
            "'\(Program.path)' chat tcp://127.0.0.1:\(server.port) --name alice --framing nul --color never\n")
        try await shell.shows("joined as alice")
        try shell.type("half")
        try await shell.shows("  4/300> half")
        try shell.type("\u{1A}")
        try await shell.shows("Stopped")
        try await eventually("the shell's own settings") { shell.isCooked ? true : nil }
        // In the background it does not touch the terminal, and waits for its turn.
        try shell.type("bg; until jobs | grep -q Stopped; do sleep 0.02; done; echo stopped''again\n")
        try await shell.shows("stoppedagain")
        #expect(shell.isCooked)
        shell.forget()
        try await bob.say("meanwhile", as: "bob")
        try shell.type("fg\n")
        try await shell.shows("bob  meanwhile")
        try await shell.shows("  4/300> half")
        try shell.type(" done\r\u{4}")
        try await bob.waitFor("alice::half done\0alice has left\0")
        try await eventually("the shell's own settings") { shell.isCooked ? true : nil }
        try shell.type("exit\n")
        #expect(try await shell.status() == 0)
    }

    @Test func `a hang-up of the terminal ends the command`() async throws {
        let terminal = try await alice()
        terminal.hangUp()
        try await bob.waitFor("alice has left\0")
        #expect(try await terminal.status() == 0)
    }

    private func alice() async throws -> Terminal {
        let terminal = try scrollback.startOnTerminal(
            "chat", "tcp://127.0.0.1:\(server.port)", "--name", "alice", "--framing", "nul", "--color", "never")
        try await terminal.shows("joined as alice")
        return terminal
    }
}
