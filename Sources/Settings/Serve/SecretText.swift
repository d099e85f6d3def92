import Crypto
import FoundationEssentials

/// Random texts for secrets, and the hashes that are stored in their place.
package enum SecretText {
    /// Returns 256 random bits as 43 characters of base64url (RFC 4648 §5).
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Data(bytes).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }

    package static func isSecret(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil
    }

    /// Returns the SHA-256 of a text, in hexadecimal.
    package static func sha256(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
