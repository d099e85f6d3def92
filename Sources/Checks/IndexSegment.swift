import CSQLite
import SQLite

/// A segment of the search index: words in their order, each with its messages and places, on pages of
/// `message_search_data`. FTS5 writes a segment for each batch, and merges them (fts5_index.c, format 4).
struct IndexSegment: Sendable {
    let number: Int64
    /// The pages that are left. A merge removes the first ones, step by step.
    let pages: ClosedRange<Int64>

    /// The limit of segments and of levels: `FTS5_MAX_SEGMENT` of fts5_index.c.
    private static let limit: Int64 = 2000
    /// The bits of a segment's number, and of a page's: `FTS5_DATA_ID_B` and `FTS5_DATA_PAGE_B` of fts5_index.c.
    private static let (numberBits, pageBits): (Int64, Int64) = (16, 31)

    /// Returns the segments that have pages, the newest first.
    ///
    /// - Throws: ``SQLite/DatabaseError/damagedIndex`` if the list of the segments can't be read.
    static func all(_ db: Database) throws -> [IndexSegment] {
        let statement = try db.cachedStatement(sql: "SELECT block FROM message_search_data WHERE id = 10")
        let record = try statement.firstRow { row in row.blobBytes(0).map { [UInt8]($0) } }
        guard let record else { throw DatabaseError.damagedIndex }
        // The numbers follow four bytes that change with the table's columns.
        var place = 4
        func number(upTo limit: Int64 = .max) throws -> Int64 {
            let number = try PackedNumber.read(record, at: &place, before: record.count)
            guard (0...limit).contains(number) else { throw DatabaseError.damagedIndex }
            return number
        }
        let levels = try number(upTo: limit)
        // The number of segments, and that of writes.
        _ = try (number(upTo: limit), number())
        var segments: [IndexSegment] = []
        for _ in 0..<levels {
            var level: [IndexSegment] = []
            // The number of segments that are being merged.
            _ = try number(upTo: limit)
            for _ in 0..<(try number(upTo: limit)) {
                let segment = try number(upTo: (1 << numberBits) - 1)
                let (first, last) = try (number(upTo: (1 << pageBits) - 1), number(upTo: (1 << pageBits) - 1))
                // A merge has removed all pages.
                if first == 0 { continue }
                guard first <= last else { throw DatabaseError.damagedIndex }
                level.append(IndexSegment(number: segment, pages: first...last))
            }
            segments += level.reversed()
        }
        return segments
    }

    /// Reads a page.
    ///
    /// - Throws: ``SQLite/DatabaseError/damagedIndex`` if there is none.
    func read(page: Int64, into bytes: inout [UInt8], _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "SELECT block FROM message_search_data WHERE id = ?")
        let found: Void? = try statement.firstRow({ $0.bind(1, number << 37 + page) }) { row in
            guard let block = row.blobBytes(0) else { return nil }
            bytes.removeAll(keepingCapacity: true)
            bytes.append(contentsOf: block)
        }
        guard found != nil else { throw DatabaseError.damagedIndex }
    }

    /// Returns the page on which a word is, if the segment has it, and the page of the first words after that page.
    func pages(of word: [UInt8], _ db: Database) throws -> (own: Int64, next: Int64?) {
        let before = try db.cachedStatement(
            sql: "SELECT pgno >> 1 FROM message_search_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1")
        let after = try db.cachedStatement(
            sql: "SELECT pgno >> 1 FROM message_search_idx WHERE segid = ? AND term > ? ORDER BY term LIMIT 1")
        func page(_ statement: Statement) throws -> Int64? {
            try statement.firstRow {
                $0.bind(1, number)
                $0.bind(2, blob: word)
            } _: { row in
                try row.integer(0)
            }
        }
        // The list of words has those of removed pages, too.
        return try (max(page(before) ?? 0, pages.lowerBound), page(after).map { max($0, pages.lowerBound) })
    }
}

/// A number as SQLite writes it in its files: 7 bits a byte, the highest first, and 8 bits in a ninth byte.
enum PackedNumber {
    /// Reads a number, and moves the place behind it.
    ///
    /// - Throws: ``SQLite/DatabaseError/damagedIndex`` if the number does not end before `end`.
    @inline(__always)
    static func read(_ bytes: [UInt8], at place: inout Int, before end: Int) throws -> Int64 {
        if place < end, bytes[place] < 0x80 {
            place += 1
            return Int64(bytes[place - 1])
        }
        return try readLong(bytes, at: &place, before: end)
    }

    private static func readLong(_ bytes: [UInt8], at place: inout Int, before end: Int) throws -> Int64 {
        var number: UInt64 = 0
        for index in 0..<9 {
            guard place < end else { throw DatabaseError.damagedIndex }
            let byte = bytes[place]
            place += 1
            if index == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: number)
    }
}

extension DatabaseError {
    /// The error that FTS5 reports for a damaged index: SQLITE_CORRUPT_VTAB, whose definition Swift can't read.
    static let damagedIndex = DatabaseError(code: SQLITE_CORRUPT | 1 << 8)
}
