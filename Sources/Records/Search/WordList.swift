import Glibc

/// Words in the order of SQLite, byte by byte, each once. They are places in one buffer, because an array for each word takes
/// longer than sorting them.
struct WordList {
    private let bytes: [UInt8]
    private var words: [Word] = []

    struct Word {
        /// The first 8 bytes, which decide most comparisons.
        fileprivate let key: UInt64
        fileprivate let range: Range<Int>
    }

    var indices: Range<Int> { words.indices }

    /// Sorts words.
    ///
    /// - Parameter row: Words as in ``VocabularyRow``, in any order.
    init(sorting row: [UInt8]) {
        bytes = row
        words = row.withUnsafeBytes { row in
            var words: [Word] = []
            VocabularyRow.forEachWord(of: row) { words.append(Word(key: Self.key(row[$0]), range: $0)) }
            words.sort { Self.precedes($0, $1, in: row) }
            var different: [Word] = []
            different.reserveCapacity(words.count)
            for word in words where different.last.map({ Self.precedes($0, word, in: row) }) ?? true {
                different.append(word)
            }
            return different
        }
    }

    subscript(place: Int) -> ArraySlice<UInt8> { bytes[words[place].range] }

    func text(_ place: Int) -> String { String(decoding: self[place], as: UTF8.self) }

    /// Returns the place after the words that precede another word.
    func end(before word: [UInt8]?, from start: Int) -> Int {
        guard let word else { return words.endIndex }
        return words[start...].firstIndex { !Self.precedes(bytes[$0.range], word[...]) } ?? words.endIndex
    }

    /// Returns a row with other words added or removed.
    func changed(_ row: UnsafeRawBufferPointer, at places: Range<Int>, isRemoval: Bool) -> [UInt8] {
        var (result, next) = ([VocabularyRow.separator], places.lowerBound)
        result.reserveCapacity(row.count + 16 * places.count)
        func append(_ word: some Collection<UInt8>) {
            result += word
            result.append(VocabularyRow.separator)
        }
        VocabularyRow.forEachWord(of: row) { range in
            let word = UnsafeRawBufferPointer(rebasing: row[range])
            var order = next < places.upperBound ? Self.order(self[next], word) : 1
            while order < 0 {
                if !isRemoval { append(self[next]) }
                next += 1
                order = next < places.upperBound ? Self.order(self[next], word) : 1
            }
            if order == 0 { next += 1 }
            if order != 0 || !isRemoval { append(word) }
        }
        if !isRemoval { for place in next..<places.upperBound { append(self[place]) } }
        return result
    }

    private static func key(_ word: Slice<UnsafeRawBufferPointer>) -> UInt64 {
        var key: UInt64 = 0
        for byte in word.prefix(8) { key = key << 8 | UInt64(byte) }
        return key << (8 * UInt64(8 - min(8, word.count)))
    }

    private static func precedes(_ first: Word, _ second: Word, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard first.key == second.key else { return first.key < second.key }
        return order(
            UnsafeRawBufferPointer(rebasing: bytes[first.range]), UnsafeRawBufferPointer(rebasing: bytes[second.range]))
            < 0
    }

    private static func precedes(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
        second.withUnsafeBytes { order(first, $0) < 0 }
    }

    private static func order(_ first: ArraySlice<UInt8>, _ second: UnsafeRawBufferPointer) -> Int {
        first.withUnsafeBytes { order($0, second) }
    }

    /// Returns a negative number if the first word is before the second, 0 if they are equal.
    private static func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
        guard let left = first.baseAddress, let right = second.baseAddress else { return first.count - second.count }
        let order = memcmp(left, right, min(first.count, second.count))
        return order == 0 ? first.count - second.count : Int(order)
    }
}
