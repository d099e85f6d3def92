/// The text of a peer's bytes: UTF-8 if all bytes are valid, otherwise in the account's fallback encoding.
///
/// The caller keeps the bytes, because the fallback may be wrong (ngircd, inspircd and znc pass on any bytes).
package struct DecodedText: Sendable, Hashable {
    package let text: String
    /// False if ``text`` was decoded by the fallback encoding.
    package let isUTF8: Bool

    package init(_ bytes: [UInt8], fallback: FallbackEncoding = .windows1252) {
        if let text = String(validating: bytes, as: UTF8.self) {
            (self.text, isUTF8) = (text, true)
        } else {
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: bytes.map(fallback.scalar))
            (text, isUTF8) = (String(scalars), false)
        }
    }
}
