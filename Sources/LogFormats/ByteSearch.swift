/// Finds bytes in a buffer, eight at a time.
enum ByteSearch {
    /// Returns the first position from `start` on that has one of three bytes; the buffer's count if there is none.
    static func firstIndex(
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

    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Returns a word whose lowest set bit is in the lowest byte that is zero in `word`; 0 if no byte is zero.
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }
}
