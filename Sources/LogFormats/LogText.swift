import ChatModel

/// Bytes of a log as text, with what was wrong with them.
struct LogText {
    let string: String
    let flags: MessageFlags

    /// Bytes that are no UTF-8 become U+FFFD and are flagged. So does U+0000, which no message in an archive has.
    init(_ bytes: ArraySlice<UInt8>) {
        let decoded = String(decoding: bytes, as: UTF8.self)
        let isValid = !decoded.utf8.lazy.contains(0xEF) || String(validating: bytes, as: UTF8.self) != nil
        flags = isValid ? [] : .invalidUTF8
        string = decoded.withoutNUL
    }
}

extension String {
    var withoutNUL: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}
