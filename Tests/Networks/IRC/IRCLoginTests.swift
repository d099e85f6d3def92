import Archive
import ChatModel
import Crypto
import Foundation
import IRC
import Sessions
import TestSupport
import Testing

/// Being let in, on a real socket, by a server of the test's words.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IRCLoginTests {
    @Test func `the server's password is sent before the nick`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            $0.secrets.serverPassword = "열려라 참깨"
        } _: {
            let socket = try await server.registered()
            #expect(socket.text.components(separatedBy: "NICK ").first == "CAP LS 302\r\nPASS :열려라 참깨\r\n")
            try socket.line(":alice!a@h PRIVMSG #example :in")
            try await all.holds("#example alice: in")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a password that the server repeats is in no report and in no file`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            $0.secrets = IRCSecrets(password: "s3cret-열쇠", serverPassword: "minsu/example:hunter2")
        } _: {
            do {
                let socket = try await server.accept()
                try await socket.waitFor("USER ")
                try socket.line(
                    "ERROR :Bad PASS minsu/example:hunter2, nor s3cret-열쇠, hunter2 (too many connections)")
                await all.reported { $0.lastError?.contains("Bad PASS ***, nor ***, ***") == true }
            }
            let socket = try await server.registered()
            try socket.line(":irc.example 471 archiver #example :hunter2 does not help\r\nERROR :Goodbye, hunter2")
            await all.reported { $0.lastError?.contains("Goodbye, ***") == true }
        }
        #expect(!all.reports.value.contains { $0.lastError?.contains("hunter2") == true })
        let files = try FileManager.default.subpathsOfDirectory(atPath: all.archive.folder)
        #expect(!files.isEmpty)
        for file in files {
            let content = FileManager.default.contents(atPath: all.archive.folder + "/" + file) ?? Data()
            #expect(content.range(of: Data("hunter2".utf8)) == nil, "\(file)")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a login that is offered after the registration uses the same connection`()
        async throws
    {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            $0.authentication = .plain(user: "minsu")
            $0.secrets = IRCSecrets(password: "wrong")
        } _: {
            let socket = try await server.accept()
            try await socket.waitFor("USER ")
            try socket.line(":irc.example CAP * LS :server-time")
            try await socket.waitFor("CAP REQ server-time\r\n")
            try socket.line(":irc.example CAP * ACK :server-time")
            try await socket.waitFor("CAP END\r\n")
            try socket.line(":irc.example 001 archiver :Welcome\r\n:irc.example 376 archiver :End\r\nPING :still here?")
            try await socket.waitFor("PONG :still here?\r\n")
            await all.reported {
                $0.lastError == "can't log in: the server does not offer SASL; waiting until it does"
            }
            #expect(!socket.text.contains("JOIN"))
            try socket.line(":irc.example CAP archiver NEW :sasl=PLAIN")
            try await socket.waitFor("CAP REQ sasl\r\n")
            try socket.line(":irc.example CAP archiver ACK :sasl")
            try await socket.waitFor("AUTHENTICATE PLAIN\r\n")
            try socket.line("AUTHENTICATE +")
            try await socket.waitFor("AUTHENTICATE AG1pbnN1AHdyb25n\r\n")
            #expect(!socket.text.contains("JOIN"))
            try socket.line(":irc.example 903 archiver :ok")
            try await socket.waitFor("JOIN #example\r\n")
            try socket.line(":archiver!a@h JOIN #example\r\n:alice!a@h PRIVMSG #example :in")
            try await all.holds("#example alice: in")
        }
    }

    @Test func `a login that the server never offers is waited for a limited time`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            $0.authentication = .plain(user: "minsu")
            $0.secrets = IRCSecrets(password: "wrong")
            ($0.registrationTimeout, $0.loginTimeout) = (.milliseconds(300), .milliseconds(1))
        } _: {
            let welcome = ":irc.example CAP * LS :\r\n:irc.example 001 archiver :Hi\r\n:irc.example 376 archiver :End"
            var sockets: [ChatSocket] = []
            defer { withExtendedLifetime(sockets) {} }
            // On a busy machine, a connection may end before it is answered.
            while !all.reports.value.contains(where: {
                $0.state == .waiting && $0.lastError == "can't log in: the server does not offer SASL"
            }) {
                let socket = try await server.accept()
                try await socket.waitFor("USER ")
                try? socket.line(welcome)
                sockets.append(socket)
            }
        }
    }

    @Test func `a wrong server password waits for a person`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        let secrets = Watched(IRCSecrets(serverPassword: "wrong"))
        try await all.listening(port: server.port) {
            $0.secrets = secrets.value
            $0.currentSecrets = { secrets.value }
            $0.loginAttempts = 1
        } _: {
            do {
                let socket = try await server.accept()
                try await socket.waitFor("USER ")
                try socket.line(":irc.example 464 * :Password incorrect")
                await all.reported { $0.state == .needsLogin && $0.lastError?.contains("Password incorrect") == true }
            }
            secrets.change { $0.serverPassword = "right" }
            let socket = try await server.registered()
            #expect(socket.text.contains("PASS right\r\n"))
        }
    }

    /// The server proves that it knows the password as well.
    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `SCRAM logs in only to a server that knows the password`(isRight: Bool) async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            $0.authentication = .scramSHA256(user: "minsu")
            $0.secrets.password = "비밀"
        } _: {
            let socket = try await server.accept()
            try await socket.waitFor("USER ")
            try socket.line(":irc.example CAP * LS :sasl=PLAIN,SCRAM-SHA-256")
            try await socket.waitFor("CAP REQ sasl\r\n")
            try socket.line(":irc.example CAP * ACK :sasl")
            try await socket.waitFor("AUTHENTICATE SCRAM-SHA-256\r\n")
            try socket.line("AUTHENTICATE +")
            let first = try await socket.answer(1)
            var scram = ScramServer(password: isRight ? "비밀" : "other", clientFirst: first)
            try socket.line("AUTHENTICATE \(scram.first)")
            let isProved = scram.receive(try await socket.answer(2))
            #expect(isProved == isRight)
            try socket.line("AUTHENTICATE \(scram.final)")
            guard isRight else {
                try await socket.waitFor("AUTHENTICATE *\r\n")
                await all.reported { $0.lastError?.contains("does not prove") == true }
                return #expect(!socket.text.contains("CAP END"))
            }
            #expect(first.hasPrefix("n,,n=minsu,r="))
            try await socket.waitFor("AUTHENTICATE +\r\n")
            try socket.line(":irc.example 903 archiver :ok")
            try await socket.waitFor("CAP END\r\n")
            try socket.line(":irc.example 001 archiver :Welcome\r\n:irc.example 376 archiver :End")
            try await socket.waitFor("JOIN #example\r\n")
            try socket.line(":archiver!a@h JOIN #example\r\n:alice!a@h PRIVMSG #example :in")
            try await all.holds("#example alice: in")
        }
    }
}

extension ChatSocket {
    /// What stands in an AUTHENTICATE line, decoded; the mechanism's name is number 0.
    fileprivate func answer(_ number: Int) async throws -> String {
        try await eventually("an answer", state: { text }) {
            let lines = text.components(separatedBy: "\r\n").dropLast().filter { $0.hasPrefix("AUTHENTICATE ") }
            guard lines.count > number, let data = Data(base64Encoded: String(lines[number].dropFirst(13))) else {
                return nil
            }
            return String(decoding: data, as: UTF8.self)
        }
    }
}

/// The server's side of RFC 5802, as it is written there.
private struct ScramServer {
    /// In base64, as the next one.
    let first: String
    private(set) var final = ""
    private let (salted, bare, challenge): (SymmetricKey, String, String)

    init(password: String, clientFirst: String) {
        let salt = Data("salt".utf8)
        bare = String(clientFirst.dropFirst("n,,".count))
        let nonce = bare.components(separatedBy: "r=").last ?? ""
        challenge = "r=\(nonce)more,s=\(salt.base64EncodedString()),i=4096"
        first = Data(challenge.utf8).base64EncodedString()
        let key = SymmetricKey(data: Data(password.utf8))
        var block = Data(HMAC<SHA256>.authenticationCode(for: salt + [0, 0, 0, 1], using: key))
        var sum = block
        for _ in 1..<4096 {
            block = Data(HMAC<SHA256>.authenticationCode(for: block, using: key))
            sum = Data(zip(sum, block).map { $0 ^ $1 })
        }
        salted = SymmetricKey(data: sum)
    }

    /// - Returns: whether the client knows the password.
    mutating func receive(_ clientFinal: String) -> Bool {
        let parts = clientFinal.components(separatedBy: ",p=")
        let message = Data("\(bare),\(challenge),\(parts[0])".utf8)
        let serverKey = HMAC<SHA256>.authenticationCode(for: Data("Server Key".utf8), using: salted)
        let signature = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: serverKey))
        final = Data("v=\(Data(signature).base64EncodedString())".utf8).base64EncodedString()
        let clientKey = Data(HMAC<SHA256>.authenticationCode(for: Data("Client Key".utf8), using: salted))
        let stored = SymmetricKey(data: Data(SHA256.hash(data: clientKey)))
        let expected = zip(clientKey, HMAC<SHA256>.authenticationCode(for: message, using: stored)).map { $0 ^ $1 }
        return Data(base64Encoded: parts.last ?? "") == Data(expected)
    }
}
