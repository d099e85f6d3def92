import Bytes

/// Puts batches together, however they nest and interleave; a batch counts when its outermost one ends.
package struct BatchCollector: Sendable {
    package enum Output: Sendable, Hashable {
        /// In no batch.
        case message(IRCMessage)
        case batch(Batch)
        /// Belongs to a batch that is not open: never opened, over, or dropped. What follows of a batch of history that was
        /// dropped is none: it can be asked for again, and its lines must not be taken for what is said now.
        case stray(IRCMessage)
        /// An outermost batch that will never be whole, with what it had.
        case broken(Batch, BrokenReason)
    }

    package enum BrokenReason: Sendable, Hashable {
        /// It held more than ``Limits`` allow.
        case tooLarge
        /// Its reference was used for another while it was open.
        case reopened
        /// The connection ended.
        case unfinished
    }

    package struct Limits: Sendable, Hashable {
        /// Batches open at once, nested ones included. Servers have a handful.
        package var open = 64
        /// Batches within batches: Ergo has three (labeled-response, chathistory, draft/multiline).
        package var depth = 8
        /// Messages in all open batches together: ten times the largest page of history, which soju gives. What a larger netsplit
        /// has besides is heard as strays.
        package var messages = 10_000
        /// Bytes in all open batches together: 1,000 messages, the most that soju puts in a page, of 2 KiB. History that needs
        /// more is asked for in smaller pages.
        package var bytes = 2 * 1024 * 1024

        package init() {}
    }

    private let limits: Limits
    /// Which outermost batch an open reference is in, and where: places in nested `items`.
    private var open: [[UInt8]: (root: [UInt8], path: [Int])] = [:]
    private var roots: [[UInt8]: Root] = [:]
    /// Of all roots together.
    private var (messages, bytes) = (0, 0)
    /// References of batches of history that were dropped and go on; ``Limits/open`` at most.
    private var abandoned: Set<[UInt8]> = []

    private struct Root {
        var batch: Batch
        var messages = 1
        var bytes: Int
    }

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    package mutating func receive(_ message: IRCMessage) -> [Output] {
        if message.verb == "BATCH", let sign = message.param(0).first, message.param(0).count > 1 {
            let reference = Array(message.param(0).dropFirst())
            if sign == Byte.plus { return begin(reference, message) }
            if sign == Byte.dash { return end(reference) }
        }
        guard let parent = message.tag("batch") else { return [.message(message)] }
        guard !abandoned.contains(parent) else { return [] }
        guard let place = open[parent] else { return [.stray(message)] }
        return append(.message(message), message.approximateBytes, at: place).map { [$0] } ?? []
    }

    /// The connection is over: what is open will not end. In no order.
    package mutating func finish() -> [Output] {
        defer { (open, roots, abandoned, messages, bytes) = ([:], [:], [], 0, 0) }
        return roots.values.map { .broken($0.batch, .unfinished) }
    }

    package var isEmpty: Bool { open.isEmpty }

    private mutating func begin(_ reference: [UInt8], _ message: IRCMessage) -> [Output] {
        var outputs: [Output] = []
        abandoned.remove(reference)
        if let place = open[reference], let root = drop(place.root) { outputs.append(.broken(root, .reopened)) }
        if let parent = message.tag("batch"), abandoned.contains(parent) {
            abandon([reference])
            return outputs
        }
        let batch = Batch(opening: message, items: [], isComplete: false)
        guard let parent = message.tag("batch") else {
            guard open.count < limits.open else {
                if batch.isHistory { abandon([reference]) }
                return outputs + [.broken(batch, .tooLarge)]
            }
            open[reference] = (reference, [])
            roots[reference] = Root(batch: batch, bytes: message.approximateBytes)
            (messages, bytes) = (messages + 1, bytes + message.approximateBytes)
            return outputs
        }
        guard let place = open[parent] else { return outputs + [.stray(message)] }
        if open.count >= limits.open || place.path.count + 2 > limits.depth {
            return outputs + [tooLarge(place.root, and: [reference])].compactMap(\.self)
        }
        let index = roots[place.root]?.batch.count(at: place.path) ?? 0
        if let broken = append(.batch(batch), message.approximateBytes, at: place) { return outputs + [broken] }
        open[reference] = (place.root, place.path + [index])
        return outputs
    }

    private mutating func end(_ reference: [UInt8]) -> [Output] {
        abandoned.remove(reference)
        guard let place = open.removeValue(forKey: reference) else { return [] }
        roots[place.root]?.batch.complete(at: place.path)
        guard place.path.isEmpty, let batch = drop(place.root) else { return [] }
        return [.batch(batch)]
    }

    /// What is broken by it, if anything.
    private mutating func append(
        _ item: Batch.Item, _ bytes: Int, at place: (root: [UInt8], path: [Int])
    ) -> Output? {
        guard roots[place.root] != nil else { return nil }
        roots[place.root]?.batch.append(item, at: place.path)
        roots[place.root]?.bytes += bytes
        roots[place.root]?.messages += 1
        (self.messages, self.bytes) = (messages + 1, self.bytes + bytes)
        guard messages > limits.messages || self.bytes > limits.bytes else { return nil }
        return tooLarge(place.root)
    }

    /// - Parameter others: References of what belongs to it and is not open.
    private mutating func tooLarge(_ root: [UInt8], and others: [[UInt8]] = []) -> Output? {
        let references = open.filter { $0.value.root == root }.map(\.key)
        guard let batch = drop(root) else { return nil }
        if batch.isHistory { abandon(references + others) }
        return .broken(batch, .tooLarge)
    }

    private mutating func abandon(_ references: [[UInt8]]) {
        for reference in references where abandoned.count < limits.open { abandoned.insert(reference) }
    }

    private mutating func drop(_ root: [UInt8]) -> Batch? {
        open = open.filter { $0.value.root != root }
        guard let dropped = roots.removeValue(forKey: root) else { return nil }
        (messages, bytes) = (messages - dropped.messages, bytes - dropped.bytes)
        return dropped.batch
    }
}

extension Batch {
    /// Whether it answers a CHATHISTORY.
    fileprivate var isHistory: Bool {
        if ["chathistory", HistoryTargets.batchType].contains(type) { return true }
        return items.contains { if case .batch(let batch) = $0 { batch.isHistory } else { false } }
    }

    /// How many items the batch at the path has.
    fileprivate func count(at path: [Int]) -> Int {
        guard let first = path.first else { return items.count }
        guard case .batch(let batch) = items[first] else { return 0 }
        return batch.count(at: Array(path.dropFirst()))
    }

    fileprivate mutating func append(_ item: Item, at path: [Int]) {
        change(path[...]) { $0.items.append(item) }
    }

    fileprivate mutating func complete(at path: [Int]) {
        change(path[...]) { $0.isComplete = true }
    }

    /// The batch is taken out while it is changed, so that nothing is copied.
    private mutating func change(_ path: ArraySlice<Int>, _ body: (inout Batch) -> Void) {
        guard let first = path.first else { return body(&self) }
        guard case .batch(var batch) = items[first] else { return }
        items[first] = .message(opening)
        batch.change(path.dropFirst(), body)
        items[first] = .batch(batch)
    }
}

extension IRCMessage {
    /// What it takes in memory, about: its bytes, and what the arrays around them take *(measured)*.
    package var approximateBytes: Int {
        let tags = tags.reduce(0) { $0 + $1.key.count + $1.value.count + 128 }
        return params.reduce(tags + 2 * (source?.bytes.count ?? 0) + 256) { $0 + $1.count + 48 }
    }
}
