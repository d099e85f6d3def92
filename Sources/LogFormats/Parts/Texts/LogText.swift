import Bytes
import ChatModel

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
