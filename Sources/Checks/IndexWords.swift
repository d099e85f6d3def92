import SQLite

/// Reads the words of the search index in their order, with the messages and places of each, from FTS5's own tables.
///
/// SQLite has the table `fts5vocab` for this. It returns each place as a row, and takes ten times as long *(measured)*.
struct IndexWords {
    /// The place in each segment that has further words, the newest segment first.
    private var cursors: [SegmentCursor] = []

    /// Begins with the first word after another one, which may be empty. All is to be read in one read transaction.
    init(after word: [UInt8], _ db: Database) throws {
        let marked = [Self.mark] + word
        cursors = try IndexSegment.all(db).map { try SegmentCursor($0, after: marked, db) }.filter(\.hasWord)
    }

    /// The byte before each word. Words of the indices of prefixes, which the search index does not have, have a greater one
    /// (`FTS5_MAIN_PREFIX` of fts5_index.c).
    private static let mark = UInt8(ascii: "0")

    /// The current word; nil after the last.
    var word: [UInt8]? {
        let word = cursors.map(\.word).min { $0.lexicographicallyPrecedes($1) }
        return word?.first == Self.mark ? word.map { Array($0.dropFirst()) } : nil
    }

    /// Calls `body` with each place of the current word, in the order of the messages' rowids, and goes to the next word.
    ///
    /// - Parameter body: Receives what ``SegmentCursor/forEachPlace(_:)`` does.
    mutating func readPlaces(_ body: (_ row: Int64, _ column: Int64, _ place: Int64) -> Void) throws {
        let word = cursors.map(\.word).min { $0.lexicographicallyPrecedes($1) }
        var own = try cursors.indices.filter { try cursors[$0].word == word && cursors[$0].moveToPosting() }
        // The row of each. Comparing the cursors' own takes longer.
        var rows = own.map { cursors[$0].row }
        while !own.isEmpty {
            var first = 0
            for index in rows.indices where rows[index] < rows[first] { first = index }
            let row = rows[first]
            // Of segments that have the same message, the newest is right.
            try cursors[own[first]].forEachPlace(body)
            for index in rows.indices.reversed() where rows[index] == row {
                if try cursors[own[index]].moveToPosting() {
                    rows[index] = cursors[own[index]].row
                } else {
                    own.remove(at: index)
                    rows.remove(at: index)
                }
            }
        }
        for index in cursors.indices.reversed() where cursors[index].word == word {
            if try !cursors[index].moveToWord() { cursors.remove(at: index) }
        }
    }
}
