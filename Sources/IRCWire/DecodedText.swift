/// A peer's bytes as text for people: UTF-8 where all of it is, else the account's fallback encoding.
///
/// Whoever decodes keeps the bytes: what was taken for the fallback may be something else (ngircd, inspircd and znc pass
/// anything on).
package struct DecodedText: Sendable, Hashable {
    package let text: String
    /// False where ``text`` is the fallback's reading.
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
