import Bytes
import FoundationEssentials

/// Authenticates with `AUTHENTICATE` (IRCv3 SASL 3.1 and 3.2).
package struct SASLExchange: Sendable {
    /// An action for the caller.
    package enum Action: Sendable, Hashable {
        case send(IRCMessage)
        case succeeded
        case failed(SASLFailure)
    }

    private enum State {
        case idle, started, done
    }

    /// The number of base64 bytes in a line; a line with exactly that many is followed by another.
    static let pieceBytes = 400
    /// The limit of base64 bytes in a challenge; SCRAM's have about 200.
    static let maximumChallengeBytes = 8 * 1024

    private var mechanism: SASLMechanism
    private let credentials: SASLCredentials
    private var state = State.idle
    private var challenge: [UInt8] = []
    /// The server's mechanisms, as 908 names them.
    private var mechanisms: String?

    package init(_ credentials: SASLCredentials) {
        self.credentials = credentials
        mechanism = SASLMechanism(credentials)
    }

    /// Returns the first line.
    package mutating func start() -> [Action] {
        state = .started
        return [.send(IRCMessage("AUTHENTICATE", credentials.mechanism))]
    }

    /// Takes a message. Returns nothing for one that isn't part of the exchange.
    package mutating func receive(_ message: IRCMessage) -> [Action] {
        guard state == .started else { return [] }
        switch message.verb {
        case "AUTHENTICATE": return receivePiece(message.param(0))
        case "903": return succeed()
        case "907": return end(.failed(.alreadyAuthenticated))
        case "908":
            mechanisms = DecodedText(message.param(1)).text
            return []
        case "902", "904", "905", "906": return end(.failed(refusal(message)))
        default: return []
        }
    }

    private mutating func receivePiece(_ piece: [UInt8]) -> [Action] {
        if piece != [Byte.plus] { challenge += piece }
        guard challenge.count <= Self.maximumChallengeBytes else { return abort("its challenge is too long") }
        guard piece.count != Self.pieceBytes else { return [] }
        defer { challenge = [] }
        guard let data = Data(base64Encoded: Data(challenge)) else { return abort("its challenge is not base64") }
        do throws(SASLFailure) {
            return Self.pieces(try mechanism.respond(to: Array(data))).map { .send($0) }
        } catch {
            return [.send(IRCMessage("AUTHENTICATE", "*"))] + end(.failed(error))
        }
    }

    /// Returns the lines of a response, in pieces of 400; a `+` follows a last piece of exactly 400, and stands for an
    /// empty response.
    static func pieces(_ response: [UInt8]) -> [IRCMessage] {
        let text = Array(Data(response).base64EncodedString().utf8)
        let pieces = stride(from: 0, to: text.count, by: pieceBytes).map {
            IRCMessage("AUTHENTICATE", [Array(text[$0..<min($0 + pieceBytes, text.count)])])
        }
        return pieces + (text.count % pieceBytes == 0 ? [IRCMessage("AUTHENTICATE", "+")] : [])
    }

    private mutating func succeed() -> [Action] {
        guard mechanism.isFinished else {
            return end(
                .failed(.invalidServer("it ended the login before it proved that it knows the password")))
        }
        return end(.succeeded)
    }

    private mutating func abort(_ what: String) -> [Action] {
        [.send(IRCMessage("AUTHENTICATE", "*"))] + end(.failed(.invalidServer(what)))
    }

    private mutating func end(_ action: Action) -> [Action] {
        state = .done
        return [action]
    }

    private func refusal(_ message: IRCMessage) -> SASLFailure {
        .refused(code: message.verb, text: DecodedText(message.params.last ?? []).text, mechanisms: mechanisms)
    }
}
