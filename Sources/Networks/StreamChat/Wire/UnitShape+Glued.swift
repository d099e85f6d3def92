import Bytes

extension UnitShape {
    /// Returns true if this may be several units that arrived together: a text contains a known name before `::` or a
    /// notice's ending, or a name contains a notice.
    func mayBeGlued(_ known: KnownNames) -> Bool {
        switch self {
        case .message(let name, let text): Self.holdsNotice(name) || Self.holdsKnownName(text, known)
        case .joined(let name), .left(let name): Self.holdsNotice(name)
        case .system(let text): Self.holdsKnownName(text, known)
        case .nothing: false
        }
    }

    /// Returns true if a notice's ending has more text after it. A name may itself end like a notice: `x has left`.
    private static func holdsNotice(_ name: ArraySlice<UInt8>) -> Bool {
        firstNoticeEnding(name).map { $0.upperBound < name.endIndex } ?? false
    }

    static func firstNoticeEnding(_ bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var at = bytes.startIndex
        while let space = bytes[at...].firstIndex(of: Byte.space) {
            if let length = noticeEnding(bytes, space) { return space..<space + length }
            at = space + 1
        }
        return nil
    }

    /// Returns true if a known name is directly before `::` or a notice's ending.
    ///
    /// Takes linear time: a name contains no `::`, so the bytes before one are searched once; if a name contains a
    /// notice's ending, only the part after it is searched.
    private static func holdsKnownName(_ text: ArraySlice<UInt8>, _ known: KnownNames) -> Bool {
        var afterSeparator = text.startIndex
        var afterEnding = text.startIndex
        for index in text.indices {
            switch text[index] {
            case Byte.colon:
                guard index + 1 < text.endIndex, text[index + 1] == Byte.colon else { continue }
                if known.endName(text[afterSeparator..<index]) { return true }
                afterSeparator = index + 1
            case Byte.space:
                guard noticeEnding(text, index) != nil else { continue }
                if known.endName(text[max(afterEnding, afterSeparator)..<index]) { return true }
                afterEnding = index + 1
            default: continue
            }
        }
        return false
    }

    private static func noticeEnding(_ bytes: ArraySlice<UInt8>, _ index: Int) -> Int? {
        if bytes.has(Token.joined, at: index) { return Token.joined.count }
        return bytes.has(Token.left, at: index) ? Token.left.count : nil
    }
}
