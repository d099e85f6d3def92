/// Reads the text of an Apple typedstream, the form of `NSArchiver` in which Messages keeps attributed texts.
///
/// The stream begins with its version and `streamtyped`. A text follows the name of its class (`NSString` or
/// `NSMutableString`), as the type `+`, its length and its bytes in UTF-8. A length takes one byte, or two bytes after
/// 0x81, or four after 0x82, the lowest first (`typedstream` in the project imessage-exporter, and pytypedstream).
enum TypedStream {
    /// Returns the first text of a stream; nil for other bytes, and for a length beyond the stream's end.
    static func text(of bytes: [UInt8]) -> String? {
        guard let start = position(after: Array("streamtyped".utf8), in: bytes[...].prefix(beginning)) else {
            return nil
        }
        var rest = bytes[start...]
        guard
            let name = [Array("NSString".utf8), Array("NSMutableString".utf8)]
                .compactMap({ position(after: $0, in: rest.prefix(beginning)) }).min(),
            let mark = position(after: [1, UInt8(ascii: "+")], in: bytes[name...].prefix(beginning))
        else { return nil }
        rest = bytes[mark...]
        guard let length = length(taking: &rest), length <= rest.count else { return nil }
        return String(decoding: rest.prefix(length), as: UTF8.self)
    }

    /// The first bytes of a stream have the names of four classes, about 90 bytes.
    private static let beginning = 512

    private static func position(after word: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.firstRange(of: word)?.upperBound
    }

    private static func length(taking rest: inout ArraySlice<UInt8>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        let count = first == 0x81 ? 2 : first == 0x82 ? 4 : 0
        guard count > 0 else { return first < 0x80 ? Int(first) : nil }
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
