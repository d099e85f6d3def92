import Foundation
import Testing

@testable import IRCWire

struct SASLTests {
    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private func started(_ credentials: SASLCredentials) -> SASLExchange {
        var exchange = SASLExchange(credentials)
        #expect(exchange.start().shown == ["AUTHENTICATE \(credentials.mechanism)"])
        return exchange
    }

    @Test func `PLAIN sends the user and password on request`() {
        var exchange = started(.plain(user: "alice", password: "가 b"))
        #expect(exchange.receive(IRCMessage("AUTHENTICATE :+")).shown == ["AUTHENTICATE \(base64("\0alice\0가 b"))"])
        #expect(exchange.receive(IRCMessage(":s 900 me me!u@h alice :You are now logged in")) == [])
        #expect(exchange.receive(IRCMessage(":s 903 me :SASL authentication successful")) == [.succeeded])
        #expect(exchange.receive(IRCMessage(":s 904 me :late")) == [])
    }

    @Test func `EXTERNAL sends an empty response`() {
        var exchange = started(.external)
        #expect(exchange.receive(IRCMessage("AUTHENTICATE +")).shown == ["AUTHENTICATE +"])
        #expect(exchange.receive(IRCMessage("903 me :ok")) == [.succeeded])
    }

    @Test(arguments: [
        (0, [1]), (297, [396]), (298, [400, 1]), (300, [400, 1]), (301, [400, 4]), (600, [400, 400, 1]),
    ])
    func `a response is sent in pieces of 400, with a plus after a full last one`(bytes: Int, pieces: [Int]) {
        let sent = SASLExchange.pieces(Array(repeating: 0x61, count: bytes)).map { $0.param(0).count }
        #expect(sent == pieces)
    }

    @Test(arguments: ["902", "904", "905", "906"])
    func `a refusal has the server's text and its mechanisms`(code: String) {
        var exchange = started(.plain(user: "a", password: "b"))
        #expect(exchange.receive(IRCMessage("908 me EXTERNAL,SCRAM-SHA-256 :are available")) == [])
        let failure = SASLFailure.refused(code: code, text: "no", mechanisms: "EXTERNAL,SCRAM-SHA-256")
        #expect(exchange.receive(IRCMessage(":s \(code) me :no")) == [.failed(failure)])
        #expect(failure.detail.contains("(\(code): no); it supports EXTERNAL"))
    }

    @Test func `an existing login of another account is refused`() {
        var exchange = started(.plain(user: "a", password: "b"))
        #expect(exchange.receive(IRCMessage(":s 907 me :already")) == [.failed(.alreadyAuthenticated)])
    }

    @Test func `success before any proof is refused`() {
        var exchange = started(.plain(user: "a", password: "b"))
        guard case .failed(.invalidServer) = exchange.receive(IRCMessage("903 me :ok")).first else {
            Issue.record("it was taken for success")
            return
        }
    }

    @Test(arguments: [("", "b"), ("a", ""), ("a\0", "b"), ("a", "\0")])
    func `credentials that PLAIN can't carry are not sent`(user: String, password: String) {
        var exchange = started(.plain(user: user, password: password))
        let actions = exchange.receive(IRCMessage("AUTHENTICATE +"))
        #expect(actions.shown.first == "AUTHENTICATE *" && actions.count == 2)
    }

    @Test func `descriptions and dumps hide credentials`() {
        let credentials = SASLCredentials.scramSHA256(user: "alice", password: "hunter2", nonce: "n0nce")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] { #expect(!text.contains("hunter2")) }
    }

    @Test(arguments: ["!!!!", String(repeating: "A", count: 399)])
    func `a challenge that is not base64 ends the login`(challenge: String) {
        var exchange = started(.external)
        #expect(exchange.receive(IRCMessage("AUTHENTICATE \(challenge)")).shown.first == "AUTHENTICATE *")
    }

    @Test func `an endless challenge ends the login`() {
        var exchange = started(.external)
        let piece = IRCMessage("AUTHENTICATE \(String(repeating: "A", count: 400))")
        let pieces = SASLExchange.maximumChallengeBytes / 400
        for _ in 0..<pieces { #expect(exchange.receive(piece) == []) }
        #expect(exchange.receive(piece).count == 2)
    }
}

extension [SASLExchange.Action] {
    var shown: [String] {
        map { action in
            switch action {
            case .send(let message): message.line
            case .succeeded: "succeeded"
            case .failed(let failure): failure.detail
            }
        }
    }
}
