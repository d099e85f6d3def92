import Bytes

/// Assembles batches, which may nest and interleave. Returns each outermost batch when it ends.
package struct BatchCollector: Sendable {
    /// A message, or a batch that has ended.
    package enum Output: Sendable, Hashable {
        /// A message outside of batches.
        case message(IRCMessage)
        /// A complete outermost batch.
        case batch(Batch)
        /// A message of a batch that is not open: it was never opened, has ended, or was dropped. Messages of a dropped
        /// batch of history are not reported as strays, because they can be requested again and must not be taken for
        /// new ones.
        case stray(IRCMessage)
        /// An outermost batch that will never be complete, with the items so far.
        case broken(Batch, BrokenReason)
    }

    /// The reason why a batch will never be complete.
    package enum BrokenReason: Sendable, Hashable {
        /// The batch exceeded the ``Limits``.
        case tooLarge
        /// The batch's reference was used for another batch while it was open.
        case reopened
        /// The connection ended.
        case unfinished
    }

    /// The limits of all open batches together.
    package struct Limits: Sendable, Hashable {
        /// The limit of open batches, nested ones included. Servers have a handful.
        package var open = 64
        /// The limit of nesting: Ergo has three (labeled-response, chathistory, draft/multiline).
        package var depth = 8
        /// The limit of messages in all open batches: ten times the largest page of history, soju's. Further messages
        /// of a larger netsplit are strays.
        package var messages = 10_000
        /// The limit of bytes in all open batches: 1,000 messages, soju's largest page, of 2 KiB. A larger page of
        /// history is requested again in smaller ones.
        package var bytes = 2 * 1024 * 1024

        package init() {}
    }

    private let limits: Limits
    /// The outermost batch of each open reference, and its place there: indices in nested `items`.
    private var open: [[UInt8]: (root: [UInt8], path: [Int])] = [:]
    private var roots: [[UInt8]: Root] = [:]
    /// The totals of all roots.
    private var (messages, bytes) = (0, 0)
    /// References of dropped batches of history that haven't ended; at most ``Limits/open``.
    private var abandoned: Set<[UInt8]> = []

    private struct Root {
        var batch: Batch
        var messages = 1
        var bytes: Int
    }

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Takes a message, and returns the batches that it completes or breaks, or the message itself; empty for a message
    /// of an open batch.
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

    /// Ends the connection. Returns the batches that are still open, in no order.
    package mutating func finish() -> [Output] {
        defer { (open, roots, abandoned, messages, bytes) = ([:], [:], [], 0, 0) }
        return roots.values.map { .broken($0.batch, .unfinished) }
    }

    /// True if no batch is open.
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

    /// Adds an item to a batch. Returns the batch if the item makes it too large; nil otherwise.
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

    /// - Parameter others: References that belong to the batch and aren't open.
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
    /// True if the batch answers a CHATHISTORY.
    fileprivate var isHistory: Bool {
        if ["chathistory", HistoryTargets.batchType].contains(type) { return true }
        return items.contains { if case .batch(let batch) = $0 { batch.isHistory } else { false } }
    }

    /// Returns the number of items of the batch at a path.
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

    /// Takes the batch out while it is changed, so that nothing is copied.
    private mutating func change(_ path: ArraySlice<Int>, _ body: (inout Batch) -> Void) {
        guard let first = path.first else { return body(&self) }
        guard case .batch(var batch) = items[first] else { return }
        items[first] = .message(opening)
        batch.change(path.dropFirst(), body)
        items[first] = .batch(batch)
    }
}

extension IRCMessage {
    /// The approximate memory of the message: its bytes, and the overhead of the arrays *(measured)*.
    package var approximateBytes: Int {
        let tags = tags.reduce(0) { $0 + $1.key.count + $1.value.count + 128 }
        return params.reduce(tags + 2 * (source?.bytes.count ?? 0) + 256) { $0 + $1.count + 48 }
    }
}
