/// A page of a tree in which SQLite keeps a table or an index.
struct DamagedPage {
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
        /// True for a table with rowids; false for an index, and for a table `WITHOUT ROWID`.
        var hasRowIDs: Bool { self == .tableInterior || self == .tableLeaf }
    }

    let bytes: [UInt8]
    let kind: Kind
    /// The places of the cells, in the order of their keys.
    let cells: [Int]
    /// The child with the largest keys; nil in a leaf.
    let lastChild: Int?

    /// The bytes of the file's own header on its first page.
    private static let fileHeaderBytes = 100

    /// Nil if the page has no header of a tree.
    init?(_ bytes: [UInt8], number: Int) {
        let start = number == 1 ? Self.fileHeaderBytes : 0
        guard let kind = Kind(rawValue: bytes[start]) else { return nil }
        let count = Int(bytes.uint16(at: start + 3))
        let content = Int(bytes.uint16(at: start + 5))
        let list = start + (kind.isLeaf ? 8 : 12)
        guard list + 2 * count <= content, content <= bytes.count else { return nil }
        (self.bytes, self.kind) = (bytes, kind)
        cells = (0..<count).map { Int(bytes.uint16(at: list + 2 * $0)) }
        lastChild = kind.isLeaf ? nil : Int(bytes.uint32(at: start + 8))
        guard cells.allSatisfy({ content <= $0 && $0 < bytes.count }) else { return nil }
    }

    /// A cell: a row of a table with rowids, an entry of an index, or a child of an interior page.
    struct Cell {
        /// The page with smaller keys; nil in a leaf.
        var child: Int?
        var rowID: Int64?
        /// The size of the record in bytes; nil in an interior page of a table, which has none.
        var size: Int?
        /// The place of the record.
        var start: Int

        /// True if a part of the record is on further pages.
        func hasOverflow(_ kind: Kind) -> Bool { size.map { DamagedPage.localBytes(of: $0, kind) < $0 } ?? false }
    }

    /// Reads a cell.
    ///
    /// - Returns: Nil if it ends outside the page.
    static func cell(of kind: Kind, _ bytes: [UInt8], at place: Int) -> Cell? {
        var (cell, next) = (Cell(start: place), place)
        if !kind.isLeaf {
            guard place + 4 <= bytes.count else { return nil }
            cell.child = Int(bytes.uint32(at: place))
            next += 4
        }
        if kind != .tableInterior {
            guard let size = bytes.varint(at: next), (1...maximumRecord).contains(size.value) else { return nil }
            (cell.size, next) = (Int(size.value), size.end)
        }
        if kind.hasRowIDs {
            guard let rowID = bytes.varint(at: next) else { return nil }
            (cell.rowID, next) = (rowID.value, rowID.end)
        }
        cell.start = next
        return cell
    }

    /// 1 GB, SQLite's own limit (`SQLITE_MAX_LENGTH`).
    private static let maximumRecord: Int64 = 1_000_000_000

    /// The number of bytes of a record that are in its cell; the rest is in overflow pages (section 1.6 of the format).
    static func localBytes(of size: Int, _ kind: Kind) -> Int {
        let usable = DamagedFile.pageSize
        let most = kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard size > most else { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let wanted = least + (size - least) % (usable - 4)
        return wanted <= most ? wanted : least
    }
}
