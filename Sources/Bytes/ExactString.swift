import Glibc

/// A string that equals another only byte for byte, as in SQLite.
///
/// For Swift, `é` equals `e` with U+0301, but two users may differ only in that.
package struct ExactString: Hashable {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package static func == (a: ExactString, b: ExactString) -> Bool {
        a.string.isExactly(b.string)
    }

    package func hash(into hasher: inout Hasher) {
        var copy = string
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Returns true for the same code points; `==` also holds for another form of Unicode.
    package func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isEqual = utf8.withContiguousStorageIfAvailable { a in
            other.utf8.withContiguousStorageIfAvailable { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return true }
                return memcmp(a, b, utf8.count) == 0
            }
        }
        return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    package var hasNUL: Bool { hasByte(0) }

    /// Returns true if the text has that byte in UTF-8.
    package func hasByte(_ byte: UInt8) -> Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, CInt(byte), bytes.count) != nil } ?? false
        } ?? utf8.contains(byte)
    }

    /// The text with U+FFFD in place of U+0000, which ends a text for most programs that read SQLite files.
    ///
    /// The journal keeps the original bytes.
    package var withoutNUL: String {
        hasNUL ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })) : self
    }
}
