/// A string that equals another only byte for byte, as it does in SQLite.
///
/// Swift takes `é` and `e` with U+0301 for the same; two users may differ in just that.
struct ExactString: Hashable {
    let string: String

    init(_ string: String) {
        self.string = string
    }

    static func == (a: ExactString, b: ExactString) -> Bool {
        a.string.isExactly(b.string)
    }

    func hash(into hasher: inout Hasher) {
        var copy = string
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    func isExactly(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Without U+0000, which ends a text for most of what reads SQLite files: U+FFFD stands in its place.
    ///
    /// What a network sent byte for byte is in its journal.
    var withoutNUL: String {
        utf8.contains(0) ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })) : self
    }
}
