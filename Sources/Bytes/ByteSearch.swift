import Glibc

/// Finds bytes in a buffer, eight at a time.
package enum ByteSearch {
    /// Returns the first position from `start` on that has one of three bytes; the buffer's count if there is none.
    package static func firstIndex(
        of first: UInt8, or second: UInt8, or third: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int {
        guard let base = bytes.baseAddress, start >= 0 else { return bytes.count }
        let (pattern1, pattern2, pattern3) = (repeated(first), repeated(second), repeated(third))
        let raw = UnsafeRawPointer(base)
        var index = start
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = zeros(word ^ pattern1) | zeros(word ^ pattern2) | zeros(word ^ pattern3)
            if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < bytes.count {
            if bytes[index] == first || bytes[index] == second || bytes[index] == third { return index }
            index &+= 1
        }
        return bytes.count
    }

    /// Returns the position of the first occurrence of some bytes; nil if there is none, or if the bytes to find are
    /// empty.
    package static func firstIndex(of word: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = bytes.baseAddress, let wanted = word.baseAddress, let first = word.first,
            let last = word.last, word.count <= bytes.count
        else { return nil }
        let (raw, span) = (UnsafeRawPointer(base), word.count &- 1)
        let (firsts, lasts) = (repeated(first), repeated(last))
        let starts = bytes.count &- span
        var index = 0
        while index &+ 8 <= starts {
            let begin = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let end = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index &+ span, as: UInt64.self))
            // May have more bits than the places where both bytes fit, never fewer.
            var found = zeros(begin ^ firsts) & zeros(end ^ lasts)
            while found != 0 {
                let place = index &+ found.trailingZeroBitCount / 8
                if memcmp(base + place, wanted, word.count) == 0 { return place }
                found &= found &- 1
            }
            index &+= 8
        }
        while index < starts {
            if memcmp(base + index, wanted, word.count) == 0 { return index }
            index &+= 1
        }
        return nil
    }

    /// Returns true if a text without control characters has some letters and digits, in capitals or not.
    ///
    /// - Parameter word: Small letters and digits of ASCII; not empty.
    package static func hasLetters(_ word: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress, let first = word.first, let last = word.last, word.count <= bytes.count
        else { return false }
        // The bit that makes a capital a small letter, which digits have, too.
        let small: UInt8 = 0x20
        let (raw, span, smalls) = (UnsafeRawPointer(base), word.count &- 1, repeated(small))
        let (firsts, lasts) = (repeated(first), repeated(last))
        let starts = bytes.count &- span
        func isWord(at place: Int) -> Bool { word.indices.allSatisfy { bytes[place &+ $0] | small == word[$0] } }
        var index = 0
        while index &+ 8 <= starts {
            let begin = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) | smalls
            let end = raw.loadUnaligned(fromByteOffset: index &+ span, as: UInt64.self) | smalls
            let mayBegin = zeros(begin ^ firsts) & zeros(end ^ lasts) != 0
            if mayBegin, (index..<index &+ 8).contains(where: isWord) { return true }
            index &+= 8
        }
        return index < starts && (index..<starts).contains(where: isWord)
    }

    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Returns a word whose lowest set bit is in the lowest byte that is zero in `word`; 0 if no byte is zero.
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }
}
