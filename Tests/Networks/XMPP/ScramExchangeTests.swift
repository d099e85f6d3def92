import Crypto
import Foundation
import SASL
import Testing

struct ScramExchangeTests {
    @Test func `SCRAM-SHA-1 has the messages of RFC 5802`() throws {
        var client = ScramExchange<Insecure.SHA1>(user: "user", password: "pencil", nonce: "fyko+d2lbbFgONRv9qkxdawL")
        #expect(try text(client.respond(to: [])) == "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL")
        let nonce = "fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j"
        #expect(
            try text(client.respond(to: Array("r=\(nonce),s=QSXCR+Q6sek8bf92,i=4096".utf8)))
                == "c=biws,r=\(nonce),p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=")
        #expect(try text(client.respond(to: Array("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=".utf8))) == "")
        #expect(client.isFinished)
    }

    @Test func `SCRAM-SHA-256 has the messages of RFC 7677`() throws {
        var client = ScramExchange<SHA256>(user: "user", password: "pencil", nonce: "rOprNGfwEbeRWgbNEkqO")
        _ = try client.respond(to: [])
        let nonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
        #expect(
            try text(client.respond(to: Array("r=\(nonce),s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096".utf8)))
                == "c=biws,r=\(nonce),p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=")
        #expect(throws: ScramFailure.self) { try client.respond(to: Array("v=AAAA".utf8)) }
        #expect(!client.isFinished)
    }

    @Test(arguments: [
        "r=other,s=QSXCR+Q6sek8bf92,i=4096", "r=abc,s=QSXCR+Q6sek8bf92,i=4096", "r=abcd,s=,i=4096",
        "r=abcd,s=QSXCR+Q6sek8bf92,i=1", "r=abcd,s=QSXCR+Q6sek8bf92,i=99999999999999999999", "m=x,r=abcd", "",
    ])
    func `a challenge that an impostor could send is refused`(challenge: String) throws {
        var client = ScramExchange<Insecure.SHA1>(user: "user", password: "pencil", nonce: "abc")
        _ = try client.respond(to: [])
        #expect(throws: ScramFailure.self) { try client.respond(to: Array(challenge.utf8)) }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
