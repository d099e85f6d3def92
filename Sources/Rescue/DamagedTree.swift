import Reading

/// Walks the trees of a damaged file. Reads each page once.
struct DamagedTree {
    let file: DamagedFile
    /// True for the pages that were read as part of a tree or of an overflow chain.
    private(set) var seen: [Bool]

    /// A row of a table or an entry of an index.
    struct Entry {
        /// Nil for an index, and for a table `WITHOUT ROWID`.
        var rowID: Int64?
        var values: [DamagedValue]
    }

    /// The part of a tree that could not be read.
    struct Losses {
        /// The numbers of pages that can't be read, or whose content is not what it should be.
        var pages = 0
        /// The number of cells that can't be read, on pages that can.
        var cells = 0
        /// In a table with rowids: between which rowids rows may be missing, both exclusive, in no order.
        var ranges: [Range] = []
        /// Messages that are out of order, with the range in which their page has them.
        private(set) var misplaced: [(row: Entry, range: Range)] = []

        /// The limit of ``misplaced``.
        private static let maximumMisplaced = 1000

        struct Range: Hashable {
            var after: Int64
            var before: Int64
        }

        var isEmpty: Bool { pages == 0 && cells == 0 }

        mutating func add(pages: Int = 0, cells: Int = 0, _ range: Range) {
            self.pages += pages
            self.cells += cells
            ranges.append(range)
        }

        /// Adds a row that ``cells`` counts.
        mutating func add(misplaced row: Entry, _ range: Range) {
            if misplaced.count < Self.maximumMisplaced { misplaced.append((row, range)) }
        }
    }

    /// The largest depth of a tree; SQLite's own limit (`BTCURSOR_MAX_DEPTH`).
    private static let maximumDepth = 20

    /// The number of columns from which a row is recognised without its rowid: typed values of that many columns are no
    /// chance.
    private static let tellingColumns = 9

    init(_ file: DamagedFile) {
        self.file = file
        seen = [Bool](repeating: false, count: file.pageCount + 1)
    }

    /// Calls `body` with every readable entry of a tree, in the order of the keys as far as the tree is intact.
    ///
    /// - Parameters:
    ///   - root: The tree's first page.
    ///   - shape: The table or index; other entries are losses.
    mutating func walk(_ root: Int, _ shape: TableShape, _ body: (Entry) throws -> Void) throws -> Losses {
        var losses = Losses()
        try walk(root, shape, Losses.Range(after: .min, before: .max), depth: 0, &losses, body)
        return losses
    }

    private mutating func walk(
        _ number: Int, _ shape: TableShape, _ range: Losses.Range, depth: Int, _ losses: inout Losses,
        _ body: (Entry) throws -> Void
    ) throws {
        guard (1...file.pageCount).contains(number), !seen[number], depth < Self.maximumDepth,
            let bytes = file.page(number)
        else { return losses.add(pages: 1, range) }
        seen[number] = true
        guard let page = DamagedPage(bytes, number: number), page.kind.hasRowIDs == shape.hasRowIDs else {
            // The row ids that belong here are known, and few other bytes look like a row with one of them.
            losses.add(pages: 1, range)
            guard shape.hasRowIDs else { return }
            for entry in salvage(bytes, shape, range) { try body(entry) }
            return
        }
        if page.kind.isLeaf {
            try readLeaf(page, shape, range, &losses, body)
        } else {
            try readInterior(page, shape, range, depth: depth, &losses, body)
        }
    }

    private mutating func readLeaf(
        _ page: DamagedPage, _ shape: TableShape, _ range: Losses.Range, _ losses: inout Losses,
        _ body: (Entry) throws -> Void
    ) throws {
        let cells = page.cells.map { DamagedPage.cell(of: page.kind, page.bytes, at: $0) }
        // Small rows, those without further pages, are read first, because only readable ones take part in the order.
        let areSmall = cells.map { $0?.hasOverflow(page.kind) == false }
        let small = zip(page.cells, areSmall).map { place, isSmall in
            isSmall ? entry(of: page.kind, page.bytes, at: place, shape) : nil
        }
        let order = Order(of: cells.indices.map { areSmall[$0] ? small[$0]?.rowID : cells[$0]?.rowID }, in: range)
        var last = range.after
        var unread: (cells: Int, misplaced: [Entry]) = (0, [])
        let isMessage = shape.name == "message"
        func lose(before: Int64) {
            guard unread.cells > 0 else { return }
            let gap = Losses.Range(after: last, before: before)
            losses.add(cells: unread.cells, gap)
            for row in unread.misplaced { losses.add(misplaced: row, gap) }
            unread = (0, [])
        }
        for (number, place) in page.cells.enumerated() {
            let entry = areSmall[number] ? small[number] : entry(of: page.kind, page.bytes, at: place, shape)
            guard let entry, entry.rowID.map({ $0 > last && order.fits(number, isCertain: isMessage) }) ?? true else {
                unread.cells += 1
                // Only small rows are kept.
                if isMessage, areSmall[number], let entry { unread.misplaced.append(entry) }
                continue
            }
            lose(before: entry.rowID ?? .max)
            last = entry.rowID ?? last
            try body(entry)
        }
        lose(before: range.before)
    }

    private mutating func readInterior(
        _ page: DamagedPage, _ shape: TableShape, _ range: Losses.Range, depth: Int, _ losses: inout Losses,
        _ body: (Entry) throws -> Void
    ) throws {
        var last = range.after
        for place in page.cells {
            guard let cell = DamagedPage.cell(of: page.kind, page.bytes, at: place), let child = cell.child else {
                losses.add(cells: 1, Losses.Range(after: last, before: range.before))
                continue
            }
            guard let key = cell.rowID else {
                try walk(child, shape, range, depth: depth + 1, &losses, body)
                // A table WITHOUT ROWID and an index have entries between their children, too.
                if let entry = entry(of: page.kind, page.bytes, at: place, shape) {
                    try body(entry)
                } else {
                    losses.add(cells: 1, range)
                }
                continue
            }
            guard key >= last || last == .min, key <= range.before else {
                losses.add(cells: 1, Losses.Range(after: last, before: range.before))
                continue
            }
            // The child's keys reach to the cell's own.
            let before = key == .max ? key : key + 1
            try walk(child, shape, Losses.Range(after: last, before: before), depth: depth + 1, &losses, body)
            last = key
        }
        if let child = page.lastChild {
            try walk(
                child, shape, Losses.Range(after: last, before: range.before), depth: depth + 1, &losses, body)
        }
    }

    /// Reads an entry and its overflow pages.
    ///
    /// - Returns: Nil if it can't be read or is not the shape's.
    private mutating func entry(
        of kind: DamagedPage.Kind, _ bytes: [UInt8], at place: Int, _ shape: TableShape
    ) -> Entry? {
        guard let cell = DamagedPage.cell(of: kind, bytes, at: place), let size = cell.size,
            size <= file.pageCount * DamagedFile.pageSize
        else { return nil }
        let local = DamagedPage.localBytes(of: size, kind)
        guard cell.start + local <= bytes.count else { return nil }
        var record = Array(bytes[cell.start..<cell.start + local])
        var used: [Int] = []
        if local < size {
            guard cell.start + local + 4 <= bytes.count else { return nil }
            var next = Int(bytes.uint32(at: cell.start + local))
            while record.count < size {
                guard (1...file.pageCount).contains(next), !seen[next], let more = file.page(next) else { return nil }
                used.append(next)
                record += more[4..<min(more.count, 4 + size - record.count)]
                next = Int(more.uint32(at: 0))
            }
        }
        guard let values = DamagedRecord.values(record), shape.accepts(values) else { return nil }
        skip(used)
        return Entry(rowID: cell.rowID, values: values)
    }

    /// Marks pages as read, or as pages that belong to no tree.
    mutating func skip(_ pages: [Int]) {
        for page in pages where seen.indices.contains(page) { seen[page] = true }
    }

    /// Reads a page that no readable page refers to.
    ///
    /// - Returns: Its entries with the table that they belong to. Nil if it is no such page, or if its entries may
    ///   belong to several tables or indices.
    mutating func orphan(_ number: Int, bytes: [UInt8], among shapes: [TableShape]) -> (TableShape, [Entry])? {
        guard let page = DamagedPage(bytes, number: number), page.kind != .tableInterior, !page.cells.isEmpty else {
            return nil
        }
        var found: (TableShape, [Entry])?
        for shape in shapes where shape.hasRowIDs == page.kind.hasRowIDs {
            let entries = page.cells.compactMap { entry(of: page.kind, bytes, at: $0, shape) }
            // A damaged cell is a loss; a page of another table has none that fits.
            guard entries.count * 2 > page.cells.count else { continue }
            guard found == nil else { return nil }
            found = (shape, entries)
        }
        return found
    }

    /// Finds the rows of a page without a readable header.
    ///
    /// A page may have old copies of rows, which SQLite no longer uses. So this is only for pages that can't be read
    /// otherwise, and only finds rows whose ids belong there.
    private mutating func salvage(_ bytes: [UInt8], _ shape: TableShape, _ range: Losses.Range) -> [Entry] {
        guard range.after > .min || range.before < .max || shape.columns.count >= Self.tellingColumns else { return [] }
        var entries: [Int64: Entry] = [:]
        var place = 8
        while place < bytes.count {
            if let cell = DamagedPage.cell(of: .tableLeaf, bytes, at: place), let id = cell.rowID, let size = cell.size,
                id > range.after, id < range.before, entries[id] == nil, !cell.hasOverflow(.tableLeaf),
                let entry = entry(of: .tableLeaf, bytes, at: place, shape)
            {
                entries[id] = entry
                place = cell.start + size
            } else {
                place += 1
            }
        }
        return entries.values.sorted { ($0.rowID ?? 0) < ($1.rowID ?? 0) }
    }
}

/// The order of the row ids of a page, of which some may be damaged.
private struct Order {
    /// The places of the ids of every longest sequence of places whose ids grow, and true for those in each of them: of two
    /// ids of which either breaks the order, both are false.
    private var places: [Int: Bool] = [:]

    init(of ids: [Int64?], in range: DamagedTree.Losses.Range) {
        let inside = ids.indices.filter { place in
            ids[place].map { $0 > range.after && ($0 < range.before || range.before == .max) } ?? false
        }
        /// The length of the longest sequence up to each place.
        func lengths(_ places: [Int], _ key: (Int64) -> Int64) -> [Int: Int] {
            var (ends, lengths): ([Int64], [Int: Int]) = ([], [:])
            for place in places {
                guard let id = ids[place].map(key) else { continue }
                let length = ends.partitioningIndex { $0 >= id }
                if length == ends.count { ends.append(id) } else { ends[length] = id }
                lengths[place] = length + 1
            }
            return lengths
        }
        let (before, after) = (lengths(inside) { $0 }, lengths(inside.reversed()) { ~$0 })
        guard let longest = before.values.max() else { return }
        let fitting = Dictionary(
            grouping: inside.filter { before[$0, default: 0] + after[$0, default: 0] == longest + 1 }
        ) { before[$0, default: 0] }
        for group in fitting.values {
            for place in group { places[place] = group.count == 1 }
        }
    }

    /// - Parameter isCertain: False to accept one of several ids, too.
    func fits(_ place: Int, isCertain: Bool) -> Bool { places[place].map { $0 || !isCertain } ?? false }
}
