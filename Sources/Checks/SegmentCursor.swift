import SQLite

/// Reads the words of a segment of the search index in their order, and the messages and places of each.
///
/// A page has, in this order: the place of the first message that continues the word of the page before, or 0; the place of the list
/// of words' places, both in two bytes; the words, each with its messages; and the list of words' places, each but the first as a
/// difference. A word is written without the bytes that it has in common with the one before on the page.
struct SegmentCursor {
    private let segment: IndexSegment
    private let db: Database
    private var page: Int64 = 0
    private var bytes: [UInt8] = []
    /// The place of the next unread byte.
    private var place = 0
    /// The end of the words of the page.
    private var end = 0
    /// The place of the next number in the list of words' places.
    private var listPlace = 0
    /// The place of the next word on the page; `Int.max` if there is none.
    private var nextWord = Int.max
    /// True for a page whose first word is the next one.
    private var isBeforeWords = true
    /// True for a word whose messages have not been read.
    private var isBeforePostings = true
    /// True for a page on which no message has been read.
    private var isBeforeRows = true

    /// The current word, after the byte 0 by which FTS5 marks words.
    private(set) var word: [UInt8] = []
    /// The rowid of the current message.
    private(set) var row: Int64 = 0
    /// The list of the word's places in the current message, on the page; empty for a message from which the word was removed.
    private var places = 0..<0
    /// The same list, if it is on several pages.
    private var joined: [UInt8]?

    /// False if the segment has no word after the one that is given to ``init(_:after:_:)``.
    private(set) var hasWord = true

    /// Goes to the first word after another one.
    init(_ segment: IndexSegment, after word: [UInt8], _ db: Database) throws {
        (self.segment, self.db) = (segment, db)
        let pages = try segment.pages(of: word, db)
        try load(pages.own)
        while nextWord != .max {
            _ = try moveToWord()
            if word.lexicographicallyPrecedes(self.word) { return }
        }
        // The messages of a word may fill many pages, which are not read.
        hasWord = false
        guard let next = pages.next, next > page else { return }
        try load(next)
        hasWord = try moveToWord()
    }

    /// Goes to the next word. Returns false at the end of the segment.
    mutating func moveToWord() throws -> Bool {
        while nextWord == .max {
            guard page < segment.pages.upperBound else { return false }
            try load(page + 1)
        }
        place = nextWord
        let kept = isBeforeWords ? 0 : try number()
        let added = try number()
        guard (0...Int64(word.count)).contains(kept), (1...Int64(end)).contains(added), place + Int(added) <= end else {
            throw DatabaseError.damagedIndex
        }
        let next = word.prefix(Int(kept)) + bytes[place..<place + Int(added)]
        // Readers continue after a word, and would never end if a damaged index had it again.
        guard word.lexicographicallyPrecedes(next) else { throw DatabaseError.damagedIndex }
        word = Array(next)
        place += Int(added)
        (isBeforeWords, isBeforePostings, isBeforeRows) = (false, true, false)
        try findNextWord()
        return true
    }

    /// Goes to the next message of the word. Returns false after the last.
    mutating func moveToPosting() throws -> Bool {
        guard place < nextWord else { return try endOfWord() }
        while place >= end {
            guard page < segment.pages.upperBound else { return try endOfWord() }
            try load(page + 1)
            if isBeforePostings { continue }
            let first = Int(bytes[0]) << 8 | Int(bytes[1])
            if first == 0, nextWord != .max { return false }
            guard first == 0 || (place..<end).contains(first) else { throw DatabaseError.damagedIndex }
            place = first == 0 ? end : first
        }
        guard place < nextWord else { throw DatabaseError.damagedIndex }
        // The first message of a word, and that of a page, has its rowid; another one the difference to the one before.
        let number = try number()
        row = isBeforePostings || isBeforeRows ? number : row &+ number
        (isBeforePostings, isBeforeRows) = (false, false)
        try findPlaces()
        return true
    }

    private func endOfWord() throws -> Bool {
        guard !isBeforePostings, nextWord == .max || place == nextWord else { throw DatabaseError.damagedIndex }
        return false
    }

    /// Finds the list of the places of a message. The lowest bit of its length is set if the word was removed from the message
    /// before.
    private mutating func findPlaces() throws {
        let length = try number() >> 1
        guard length >= 0 else { throw DatabaseError.damagedIndex }
        joined = nil
        guard length > end - place else {
            places = place..<place + Int(length)
            place += Int(length)
            return
        }
        var (list, left) = ([UInt8](), length)
        while left > 0 {
            if place == end {
                guard page < segment.pages.upperBound else { throw DatabaseError.damagedIndex }
                try load(page + 1)
            }
            let part = bytes[place..<place + Int(min(left, Int64(end - place)))]
            list += part
            place += part.count
            left -= Int64(part.count)
        }
        (joined, places) = (list, 0..<list.count)
    }

    /// Calls `body` with each place of the word in the current message: the number of the column, 0 to 2, and the number of the
    /// words before it in the column. Changes nothing; a function that does not say so would copy the cursor.
    mutating func forEachPlace(_ body: (_ row: Int64, _ column: Int64, _ place: Int64) -> Void) throws {
        if let joined { return try Self.forEachPlace(joined, places, row, body) }
        try Self.forEachPlace(bytes, places, row, body)
    }

    @inline(__always)
    private static func forEachPlace(
        _ list: [UInt8], _ places: Range<Int>, _ row: Int64,
        _ body: (_ row: Int64, _ column: Int64, _ place: Int64) -> Void
    ) throws {
        var (index, column, place): (Int, Int64, Int64) = (places.lowerBound, 0, 0)
        while index < places.upperBound {
            var distance = try PackedNumber.read(list, at: &index, before: places.upperBound)
            // 1 stands before the number of another column. A distance is 2 more than it is.
            if distance == 1 {
                column = try PackedNumber.read(list, at: &index, before: places.upperBound)
                distance = try PackedNumber.read(list, at: &index, before: places.upperBound)
                place = 0
            }
            place &+= distance &- 2
            guard distance >= 2, (0..<1 << 32).contains(place), (0..<3).contains(column) else {
                throw DatabaseError.damagedIndex
            }
            body(row, column, place)
        }
    }

    private mutating func load(_ page: Int64) throws {
        try segment.read(page: page, into: &bytes, db)
        guard bytes.count >= 4 else { throw DatabaseError.damagedIndex }
        end = Int(bytes[2]) << 8 | Int(bytes[3])
        guard (4...bytes.count).contains(end) else { throw DatabaseError.damagedIndex }
        (self.page, place, listPlace, nextWord) = (page, 4, end, 0)
        (isBeforeWords, isBeforeRows) = (true, true)
        try findNextWord()
    }

    /// Reads the place of the next word in the list.
    private mutating func findNextWord() throws {
        guard listPlace < bytes.count else {
            nextWord = .max
            return
        }
        let distance = try PackedNumber.read(bytes, at: &listPlace, before: bytes.count)
        guard (1...Int64(end)).contains(distance), (place..<end).contains(nextWord + Int(distance)) else {
            throw DatabaseError.damagedIndex
        }
        nextWord += Int(distance)
    }

    private mutating func number() throws -> Int64 { try PackedNumber.read(bytes, at: &place, before: end) }
}
