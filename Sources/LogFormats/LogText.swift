import ChatModel
import Glibc

/// The text of a log's bytes, and a flag for invalid UTF-8.
struct LogText {
    let string: String
    let flags: MessageFlags

    /// Decodes bytes. Invalid UTF-8 becomes U+FFFD and is flagged; U+0000, which no message in an archive has, becomes
    /// U+FFFD without a flag.
    init(_ bytes: ArraySlice<UInt8>) {
        let decoded = String(decoding: bytes, as: UTF8.self)
        let isValid = !decoded.hasByte(0xEF) || String(validating: bytes, as: UTF8.self) != nil
        flags = isValid ? [] : .invalidUTF8
        string = decoded.withoutNUL
    }
}

extension String {
    /// Returns true if the text has that byte in UTF-8.
    fileprivate func hasByte(_ byte: UInt8) -> Bool {
        var copy = self
        return copy.withUTF8 { bytes in
            bytes.baseAddress.map { memchr($0, CInt(byte), bytes.count) != nil } ?? false
        }
    }

    var withoutNUL: String {
        guard hasByte(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}
