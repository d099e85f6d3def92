package import TextEncodings

/// The text of a peer's bytes: UTF-8 if all bytes are valid, otherwise in the account's fallback encoding.
///
/// The caller keeps the bytes, because the fallback may be wrong (ngircd, inspircd and znc pass on any bytes).
package struct DecodedText: Sendable, Hashable {
    package let text: String
    /// False if ``text`` was decoded by the fallback encoding.
    package let isUTF8: Bool

    /// - Parameter fallback: Bytes that are invalid in it become U+FFFD, or in `windows-1252` control characters. Text
    ///   in ISO-2022-JP is ASCII with escape sequences.
    package init(_ bytes: [UInt8], fallback: TextEncoding = .windows1252) {
        if let text = String(validating: bytes, as: UTF8.self),
            fallback != .iso2022JP || !TextDecoder.isEscapedJapanese(bytes[...])
        {
            (self.text, isUTF8) = (text, true)
        } else {
            let decoded = (try? TextDecoder.of(fallback))?.repaired(bytes[...]) ?? bytes
            (text, isUTF8) = (String(decoding: decoded, as: UTF8.self), false)
        }
    }
}
