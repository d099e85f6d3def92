import Crypto
import Foundation
import SASL
import Testing

@testable import IRCWire

/// SCRAM-SHA-256 with the exchange of RFC 7677 §3.
final class ScramTests {
    private static let serverNonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
    private static let serverFirst = "r=\(serverNonce),s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
    private static let serverFinal = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="

    private var exchange = SASLExchange(
        .scramSHA256(user: "user", password: "pencil", nonce: "rOprNGfwEbeRWgbNEkqO"))

    private func answer(_ challenge: String) -> [String] {
        let text = challenge.isEmpty ? "+" : Data(challenge.utf8).base64EncodedString()
        return exchange.receive(IRCMessage("AUTHENTICATE \(text)")).map { action in
            guard case .send(let message) = action else { return "ended" }
            return Data(base64Encoded: Data(message.param(0))).map { Array($0).text } ?? message.param(0).text
        }
    }

    private func begin() {
        _ = exchange.start()
        #expect(answer("") == ["n,,n=user,r=rOprNGfwEbeRWgbNEkqO"])
    }

    @Test func `the exchange of RFC 7677 succeeds`() {
        begin()
        let proof = "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
        #expect(answer(Self.serverFirst) == ["c=biws,r=\(Self.serverNonce),p=\(proof)"])
        #expect(answer(Self.serverFinal) == ["+"])
        #expect(exchange.receive(IRCMessage("903 me :ok")) == [.succeeded])
    }

    @Test func `a server with a wrong signature is refused`() {
        begin()
        _ = answer(Self.serverFirst)
        #expect(answer("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl96G4=") == ["*", "ended"])
        #expect(exchange.receive(IRCMessage("903 me :ok")) == [])
    }

    @Test func `success without the server's signature is refused`() {
        begin()
        _ = answer(Self.serverFirst)
        #expect(exchange.receive(IRCMessage("903 me :ok")) != [.succeeded])
    }

    @Test(arguments: [
        "", "r=x", "r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
        "r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "m=x,\(serverFirst)", "r=\(serverNonce),s=,i=4096",
        "r=\(serverNonce),s=!!,i=4096", "r=\(serverNonce),s=AAAA,i=4095", "r=\(serverNonce),s=AAAA,i=1000001",
        "r=\(serverNonce),s=AAAA,i=-1", "r=\(serverNonce),s=AAAA,i=99999999999999999999999",
    ])
    func `a first message that is wrong or demands too little or too much ends the login`(first: String) {
        begin()
        #expect(answer(first) == ["*", "ended"])
    }

    @Test func `a server's error is reported`() {
        begin()
        _ = answer(Self.serverFirst)
        let text = Data("e=invalid-proof".utf8).base64EncodedString()
        let failure = SASLFailure.refused(code: "SCRAM", text: "invalid-proof", mechanisms: nil)
        #expect(exchange.receive(IRCMessage("AUTHENTICATE \(text)")).last == .failed(failure))
    }

    @Test func `a name with a comma or equals sign is escaped`() throws {
        var exchange = ScramExchange<SHA256>(user: "a,b=c", password: "p", nonce: "n")
        #expect(try exchange.respond(to: []).text == "n,,n=a=2Cb=3Dc,r=n")
    }

    /// RFC 4013 §3, and 7914's vector of PBKDF2-HMAC-SHA-256 for one iteration.
    @Test(arguments: [
        ("I\u{AD}X", "IX"), ("user", "user"), ("USER", "USER"), ("\u{AA}", "a"), ("\u{2168}", "IX"),
        ("a\u{A0}b", "a b"),
        ("가", "가"), ("\u{1100}\u{1161}", "가"), ("\u{7}", nil), ("", nil), ("\u{AD}", nil), ("\u{202E}", nil),
    ])
    func `users and passwords are prepared by SASLprep`(text: String, prepared: String?) {
        #expect(SASLPrep.prepare(text).map { Array($0.unicodeScalars) } == prepared.map { Array($0.unicodeScalars) })
    }

    @Test func `a salted password is PBKDF2's first block`() {
        let block = ScramExchange<SHA256>.saltedPassword(Array("passwd"), salt: Array("salt"), iterations: 1)
        let expected = "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        #expect(block.map { String(format: "%02x", $0) }.joined() == expected)
    }
}
