import Bytes
package import Crypto
import FoundationEssentials

/// The client's side of SCRAM (RFC 5802, RFC 7677) with a hash function, without channel binding.
package struct ScramExchange<Hash: HashFunction>: Sendable {
    private enum State {
        case first
        case sentFirst(bare: String)
        case sentFinal(serverSignature: [UInt8])
        case finished
    }

    /// RFC 7677 §4: "at least 4096". With fewer, an impostor of the server can guess the password cheaply.
    static var minimumIterations: Int { 4096 }
    /// OWASP's recommendation for PBKDF2 with SHA-256 (600,000, 2023), rounded up. A hostile server may request any
    /// number; this many take one second of a core *(measured)*, which blocks this connection.
    static var maximumIterations: Int { 1_000_000 }
    private static var header: String { "n,," }

    private let user: String
    private let password: String
    private let nonce: String
    private var state = State.first

    package init(user: String, password: String, nonce: String) {
        (self.user, self.password, self.nonce) = (user, password, nonce)
    }

    /// True if the server's signature was correct.
    package var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    package mutating func respond(to challenge: [UInt8]) throws(ScramFailure) -> [UInt8] {
        switch state {
        case .first: return try sendFirst()
        case .sentFirst(let bare): return try sendFinal(to: challenge, bare)
        case .sentFinal(let signature): return try verify(challenge, signature)
        case .finished: throw .invalidServer("it asks for more than this mechanism has")
        }
    }

    private mutating func sendFirst() throws(ScramFailure) -> [UInt8] {
        guard let user = SASLPrep.prepare(user), SASLPrep.prepare(password) != nil else {
            throw .invalidCredentials("the user or password is empty or has characters that SASL forbids (RFC 4013)")
        }
        let escaped = user.replacing("=", with: "=3D").replacing(",", with: "=2C")
        let bare = "n=\(escaped),r=\(nonce)"
        state = .sentFirst(bare: bare)
        return Array((Self.header + bare).utf8)
    }

    private mutating func sendFinal(to challenge: [UInt8], _ bare: String) throws(ScramFailure) -> [UInt8] {
        let first = try ScramServerFirst(challenge)
        guard first.nonce.starts(with: nonce.utf8), first.nonce.count > nonce.utf8.count else {
            throw .invalidServer("its nonce does not begin with ours")
        }
        guard (Self.minimumIterations...Self.maximumIterations).contains(first.iterations) else {
            throw .invalidServer(
                "it asks for \(first.iterations) iterations, not \(Self.minimumIterations) to \(Self.maximumIterations)"
            )
        }
        let prepared = Array((SASLPrep.prepare(password) ?? "").utf8)
        let salted = Self.saltedPassword(prepared, salt: first.salt, iterations: first.iterations)
        let binding = Data(Self.header.utf8).base64EncodedString()
        let final = Array("c=\(binding),r=".utf8) + first.nonce
        let message = Array(bare.utf8) + [Byte.comma] + challenge + [Byte.comma] + final
        let clientKey = Self.hmac(salted, Array("Client Key".utf8))
        let signature = Self.hmac(Array(Hash.hash(data: clientKey)), message)
        let proof = Data(zip(clientKey, signature).map { $0 ^ $1 }).base64EncodedString()
        state = .sentFinal(serverSignature: Self.hmac(Self.hmac(salted, Array("Server Key".utf8)), message))
        return final + Array(",p=\(proof)".utf8)
    }

    private mutating func verify(_ challenge: [UInt8], _ signature: [UInt8]) throws(ScramFailure) -> [UInt8] {
        let attribute = challenge.prefix { $0 != Byte.comma }
        if attribute.starts(with: "e=".utf8) {
            throw .refused(Array(attribute.dropFirst(2)))
        }
        guard attribute.starts(with: "v=".utf8), let received = Data(base64Encoded: Data(attribute.dropFirst(2))),
            received.count == signature.count, zip(received, signature).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0
        else {
            throw .invalidServer("it does not prove that it knows the password")
        }
        state = .finished
        return []
    }

    /// Returns Hi of RFC 5802 §2.2, which is PBKDF2 with one block.
    package static func saltedPassword(_ password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
        // Hashes the key once, and copies that state for each block.
        let keyed = HMAC<Hash>(key: SymmetricKey(data: password))
        func hmac(_ data: [UInt8]) -> [UInt8] {
            var code = keyed
            code.update(data: data)
            return Array(code.finalize())
        }
        var block = hmac(salt + [0, 0, 0, 1])
        var result = block
        for _ in 1..<max(1, iterations) {
            block = hmac(block)
            for index in result.indices { result[index] ^= block[index] }
        }
        return result
    }

    private static func hmac(_ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
        Array(HMAC<Hash>.authenticationCode(for: data, using: SymmetricKey(data: key)))
    }
}
