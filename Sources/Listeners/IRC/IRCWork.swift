import IRCWire

/// What a read brought and is not heard yet, in order.
struct IRCWork: Sendable {
    enum Item: Sendable {
        case line(LineSplitter.Received)
        /// Of a batch that says what happens now.
        case batched(Batch.Item)
    }

    /// The next one last.
    private var items: [Item] = []

    var isEmpty: Bool { items.isEmpty }

    /// What is read comes behind everything else.
    mutating func add(_ lines: [LineSplitter.Received]) {
        items.insert(contentsOf: lines.reversed().map(Item.line), at: 0)
    }

    /// What a line held comes before the lines behind it.
    mutating func insert(_ batched: [Batch.Item]) {
        items += batched.reversed().map(Item.batched)
    }

    mutating func next() -> Item? { items.popLast() }
}
