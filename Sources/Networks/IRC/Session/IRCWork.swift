import IRCWire

/// Items that were read and not handled yet, in order.
struct IRCWork: Sendable {
    enum Item: Sendable {
        case line(LineSplitter.Received)
        /// An item of a batch about the present, rather than about history.
        case batched(Batch.Item)
    }

    /// The items in reverse: the next one is last.
    private var items: [Item] = []

    var isEmpty: Bool { items.isEmpty }

    /// Adds lines after all other items.
    mutating func addLines(_ lines: [LineSplitter.Received]) {
        items.insert(contentsOf: lines.reversed().map(Item.line), at: 0)
    }

    /// Adds the items of a line before the lines behind it.
    mutating func insert(_ batched: [Batch.Item]) {
        items += batched.reversed().map(Item.batched)
    }

    mutating func next() -> Item? { items.popLast() }
}
