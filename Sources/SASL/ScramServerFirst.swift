import Bytes
import FoundationEssentials

/// The server's first message, `r=nonce,s=salt,i=count` (RFC 5802 §7).
struct ScramServerFirst {
    let nonce: [UInt8]
    let salt: [UInt8]
    let iterations: Int

    init(_ challenge: [UInt8]) throws(ScramFailure) {
        let parts = challenge.split(separator: Byte.comma, maxSplits: 3, omittingEmptySubsequences: false)
        func value(_ index: Int, _ key: String) -> ArraySlice<UInt8>? {
            guard parts.indices.contains(index), parts[index].starts(with: "\(key)=".utf8) else { return nil }
            return parts[index].dropFirst(2)
        }
        // `m=` first is an extension that must be understood.
        guard let nonce = value(0, "r"), let salt = value(1, "s"), let count = value(2, "i"),
            let decoded = Data(base64Encoded: Data(salt)), !decoded.isEmpty, !count.isEmpty,
            count.allSatisfy(Byte.isDigit), let iterations = Int(String(decoding: count, as: UTF8.self))
        else { throw .invalidServer("its first SCRAM message is invalid") }
        (self.nonce, self.salt, self.iterations) = (Array(nonce), Array(decoded), iterations)
    }
}
