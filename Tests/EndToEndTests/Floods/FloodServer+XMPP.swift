import Crypto
import Foundation
import TestSupport

/// An XMPP server with one room, `r0@m`, which the account can join.
extension FloodServer {
    private static let stream =
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
        + "version='1.0' from='x' id='1'><stream:features>"
    private static let sasl = "xmlns='urn:ietf:params:xml:ns:xmpp-sasl'"

    /// Logs the client in, and lets it join the room. A flood of history begins with the first question for it.
    ///
    /// - Returns: False where the connection is over.
    func greetXMPP(_ connection: FloodConnection) -> Bool {
        guard logIn(connection) else { return false }
        var (id, peer) = ("", "")
        while let tag = connection.line(endingWith: ">") {
            if tag.hasPrefix("<iq ") { (id, peer) = (Self.value("id", of: tag), Self.value("to", of: tag)) }
            let from = peer.isEmpty ? "" : " from='\(peer)'"
            var answer = ""
            if tag.contains("urn:xmpp:mam:2") {
                if flood.isOfHistory { return floodWithHistory(connection, query: id, from: from) }
                answer = Self.result(id, from, "<fin xmlns='urn:xmpp:mam:2' complete='true'/>")
            } else if tag.contains("disco#info") {
                answer = Self.result(
                    id, from,
                    "<query xmlns='http://jabber.org/protocol/disco#info'><identity category='conference' type='text'/>"
                        + "<feature var='urn:xmpp:mam:2'/></query>")
            } else if tag.hasPrefix("<enable"), tag.contains("carbons") {
                answer = Self.result(id, from, "")
            } else if tag.hasPrefix("<presence "), !Self.value("to", of: tag).isEmpty {
                let own =
                    "<presence from='\(Self.value("to", of: tag))'><x xmlns='http://jabber.org/protocol/muc#user'>"
                    + "<item/><status code='110'/></x></presence>"
                let topic = "<message type='groupchat' from='r0@m'><subject/></message>"
                guard send(Array((own + topic).utf8), to: connection) else { return false }
                if !flood.isOfHistory { return true }
            }
            guard answer.isEmpty || send(Array(answer.utf8), to: connection) else { return false }
        }
        return false
    }

    private func logIn(_ connection: FloodConnection) -> Bool {
        func wait(for text: String) -> String? { connection.line(endingWith: text) }
        func say(_ text: String) -> Bool { send(Array(text.utf8), to: connection) }
        guard wait(for: "to='x'>") != nil,
            say(
                Self.stream
                    + "<mechanisms \(Self.sasl)><mechanism>SCRAM-SHA-1</mechanism></mechanisms></stream:features>"),
            wait(for: ">") != nil, let first = wait(for: "</auth>").flatMap(Self.decoded),
            let exchange = FloodScram(first), say("<challenge \(Self.sasl)>\(exchange.challenge)</challenge>"),
            wait(for: ">") != nil, let final = wait(for: "</response>").flatMap(Self.decoded),
            say("<success \(Self.sasl)>\(exchange.signature(after: final))</success>"),
            wait(for: "to='x'>") != nil,
            say(Self.stream + "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></stream:features>"),
            wait(for: "</iq>") != nil
        else { return false }
        return say(
            Self.result("bind", "", "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>archiver@x/a</jid></bind>"))
    }

    private func floodWithHistory(_ connection: FloodConnection, query: String, from: String) -> Bool {
        let beginning = "<message\(from)><result xmlns='urn:xmpp:mam:2' queryid='\(query)' id='"
        let text = String(decoding: flood.content(), as: UTF8.self).replacing("<RESULT id='", with: beginning)
        let content = Array(text.replacing("</RESULT>", with: "</result></message>").utf8)
        while send(content, to: connection, isFlood: true) {}
        return false
    }

    private static func result(_ id: String, _ from: String, _ content: String) -> String {
        "<iq type='result' id='\(id)'\(from)>\(content)</iq>"
    }

    /// Returns an attribute's value; empty without it.
    private static func value(_ name: String, of tag: String) -> String {
        guard let start = tag.firstRange(of: " \(name)='")?.upperBound else { return "" }
        return String(tag[start...].prefix { $0 != "'" })
    }

    /// Returns the text before an end tag.
    private static func decoded(_ part: String) -> String? {
        let text = part.prefix { $0 != "<" }
        return Data(base64Encoded: String(text)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Flood {
    /// True for a flood that answers a question for history.
    fileprivate var isOfHistory: Bool { name.hasPrefix("history") }
}

/// The server's side of SCRAM-SHA-1 (RFC 5802) for the password `secret`. It takes any proof.
private struct FloodScram {
    private static let iterations = 4096
    private static let salt: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    /// Hi of RFC 5802 §2.2.
    private static let salted: [UInt8] = {
        var block = hmac(Array("secret".utf8), salt + [0, 0, 0, 1])
        var result = block
        for _ in 1..<iterations {
            block = hmac(Array("secret".utf8), block)
            for index in result.indices { result[index] ^= block[index] }
        }
        return result
    }()

    private let bare: String
    private let first: String

    /// - Parameter message: The client's first message.
    init?(_ message: String) {
        guard message.hasPrefix("n,,"), let nonce = message.firstRange(of: ",r=")?.upperBound else { return nil }
        bare = String(message.dropFirst(3))
        first = "r=\(message[nonce...])flood,s=\(Data(Self.salt).base64EncodedString()),i=\(Self.iterations)"
    }

    var challenge: String { Data(first.utf8).base64EncodedString() }

    /// Returns the proof that the server knows the password.
    func signature(after final: String) -> String {
        let withoutProof = final[..<(final.firstRange(of: ",p=")?.lowerBound ?? final.endIndex)]
        let message = Array("\(bare),\(first),\(withoutProof)".utf8)
        let signature = Self.hmac(Self.hmac(Self.salted, Array("Server Key".utf8)), message)
        return Data("v=\(Data(signature).base64EncodedString())".utf8).base64EncodedString()
    }

    private static func hmac(_ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
        Array(HMAC<Insecure.SHA1>.authenticationCode(for: data, using: SymmetricKey(data: key)))
    }
}
