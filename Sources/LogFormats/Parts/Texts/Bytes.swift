import Bytes
import Glibc

extension ArraySlice<UInt8> {
    /// Returns the range of the text's first occurrence; nil if there is none.
    func range(of text: String) -> Range<Int>? {
        var text = text
        return text.withUTF8 { words in
            withUnsafeBufferPointer { ByteSearch.firstIndex(of: words, in: $0) }
                .map { (startIndex + $0)..<(startIndex + $0 + words.count) }
        }
    }

    /// Returns the index of the first such byte; nil if there is none.
    func index(of byte: UInt8) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base, CInt(byte), bytes.count) else { return nil }
            return startIndex + base.distance(to: UnsafeRawPointer(found))
        }
    }

    func lastRange(of text: String) -> Range<Int>? {
        var last: Range<Int>?
        while let next = self[(last?.upperBound ?? startIndex)...].range(of: text) { last = next }
        return last
    }

    /// Returns the bytes before and after the text's first occurrence; nil if the bytes don't contain it.
    func parted(by text: String) -> (left: ArraySlice<UInt8>, right: ArraySlice<UInt8>)? {
        range(of: text).map { (self[..<$0.lowerBound], self[$0.upperBound...]) }
    }

    /// Returns the bytes after a text at the beginning; nil if the bytes don't begin with it.
    func after(_ text: String) -> ArraySlice<UInt8>? {
        starts(with: text.utf8) ? dropFirst(text.utf8.count) : nil
    }

    /// True for `#example` and `&example`.
    var isChannelName: Bool {
        count > 1 && "#&".utf8.contains(self[startIndex]) && !contains(UInt8(ascii: " "))
    }

    /// The bytes without the spaces around them.
    var trimmed: ArraySlice<UInt8> {
        var rest = drop { $0 == UInt8(ascii: " ") }
        while rest.last == UInt8(ascii: " ") { rest.removeLast() }
        return rest
    }

    /// Returns the bytes without `open` at the beginning and `close` at the end. Removes each of the two if it is
    /// there.
    func unwrapped(_ open: String, _ close: String) -> ArraySlice<UInt8> {
        var rest = self
        if rest.starts(with: open.utf8) { rest = rest.dropFirst(open.utf8.count) }
        if rest.suffix(close.utf8.count).elementsEqual(close.utf8) { rest = rest.dropLast(close.utf8.count) }
        return rest
    }

    func starts(with text: String) -> Bool { starts(with: text.utf8) }

    var isBlank: Bool { allSatisfy { $0 == UInt8(ascii: " ") } }
}
