extension ArraySlice<UInt8> {
    /// Where a text occurs first.
    func range(of text: String) -> Range<Int>? {
        let words = Array(text.utf8)
        guard let first = words.first else { return nil }
        var rest = self
        while rest.count >= words.count, let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: words) { return start..<(start + words.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    func lastRange(of text: String) -> Range<Int>? {
        var last: Range<Int>?
        while let next = self[(last?.upperBound ?? startIndex)...].range(of: text) { last = next }
        return last
    }

    /// What is before and after the text's first occurrence.
    func parted(by text: String) -> (left: ArraySlice<UInt8>, right: ArraySlice<UInt8>)? {
        range(of: text).map { (self[..<$0.lowerBound], self[$0.upperBound...]) }
    }

    /// Without the spaces around it.
    var trimmed: ArraySlice<UInt8> {
        var rest = drop { $0 == UInt8(ascii: " ") }
        while rest.last == UInt8(ascii: " ") { rest.removeLast() }
        return rest
    }

    /// Without the one before it and the other behind it, also where only one of them is there.
    func unwrapped(_ open: String, _ close: String) -> ArraySlice<UInt8> {
        var rest = self
        if rest.starts(with: open.utf8) { rest = rest.dropFirst(open.utf8.count) }
        if rest.suffix(close.utf8.count).elementsEqual(close.utf8) { rest = rest.dropLast(close.utf8.count) }
        return rest
    }

    func starts(with text: String) -> Bool { starts(with: text.utf8) }

    var isBlank: Bool { allSatisfy { $0 == UInt8(ascii: " ") } }
}
