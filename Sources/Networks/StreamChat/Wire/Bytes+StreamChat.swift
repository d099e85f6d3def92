import Bytes

/// The byte strings that have a meaning in StreamChat.
enum Token {
    static let separator = Array("::".utf8)
    static let end = Array("::END".utf8)
    static let joined = Array(" has joined".utf8)
    static let left = Array(" has left".utf8)
}

extension ArraySlice<UInt8> {
    /// Returns the index of the first `::` at or after `index`. Compares bytes, because Swift would not find `::`
    /// before a combining mark.
    func firstSeparator(from index: Int) -> Int? {
        var at = Swift.max(index, startIndex)
        while let colon = self[at...].firstIndex(of: Byte.colon), colon + 1 < endIndex {
            if self[colon + 1] == Byte.colon { return colon }
            at = colon + 1
        }
        return nil
    }

    var firstSeparator: Int? {
        firstSeparator(from: startIndex)
    }

    /// Returns true if the token is at `index`; false if `index` is outside.
    func has(_ token: [UInt8], at index: Int) -> Bool {
        index >= startIndex && index <= endIndex && self[index...].starts(with: token)
    }

    func ends(with token: some Collection<UInt8>) -> Bool {
        suffix(token.count).elementsEqual(token)
    }

    var withoutPaddingAtEnd: Self {
        self[..<(lastIndex { !Byte.endsLine($0) }.map { $0 + 1 } ?? startIndex)]
    }

    /// The number of bytes at the end, 0 to 3, that begin a UTF-8 sequence that more bytes could complete.
    var incompleteTail: Int {
        for (index, byte) in suffix(3).reversed().enumerated() {
            let length = index + 1
            guard byte & 0xC0 != 0x80 else { continue }
            guard byte.sequenceLength > length else { return 0 }
            return length == 1 || byte.allowsSecond(self[endIndex - length + 1]) ? length : 0
        }
        return 0
    }
}

extension UInt8 {
    /// The length of a UTF-8 sequence with this first byte; 0 if no sequence begins with it (Unicode 16, table 3-7).
    fileprivate var sequenceLength: Int {
        switch self {
        case 0x00...0x7F: 1
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    /// Returns true if `second` may follow this first byte: no overlong forms, no surrogates, nothing above U+10FFFF.
    fileprivate func allowsSecond(_ second: UInt8) -> Bool {
        switch self {
        case 0xE0: (0xA0...0xBF).contains(second)
        case 0xED: (0x80...0x9F).contains(second)
        case 0xF0: (0x90...0xBF).contains(second)
        case 0xF4: (0x80...0x8F).contains(second)
        default: (0x80...0xBF).contains(second)
        }
    }
}
