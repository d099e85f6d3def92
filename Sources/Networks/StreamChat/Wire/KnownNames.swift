import Bytes

/// The names that are known: our own, and the names in notices and of senders. They show where units begin.
///
/// Keeps at most `capacity` names, and forgets the least recently seen one first. A name is kept only if a sender can
/// have it and it isn't too long: it isn't empty, lacks `::` and doesn't end in `:`.
package struct KnownNames: Sendable {
    private struct Entry {
        var name: [UInt8]
        var seen: Int
    }

    /// The longest name in bytes; longer ones aren't kept. Ten family emoji have 250.
    package let maximumBytes: Int
    private let capacity: Int

    /// The names by a hash that reads from end to beginning, so that one pass tries all names that end at a place.
    private var entries: [UInt64: Entry] = [:]
    /// The number of names for each length in bytes.
    private var lengths: [Int]
    /// The hashes in the order of use; only a name's last use counts.
    private var order: [(hash: UInt64, seen: Int)] = []
    private var oldest = 0
    private var uses = 0
    /// A secret odd factor, so that no peer can choose names with colliding hashes.
    private let factor = UInt64.random(in: .min ... .max) | 1

    package init(_ names: [String] = [], capacity: Int = 10_000, maximumBytes: Int = 256) {
        self.capacity = max(1, capacity)
        self.maximumBytes = max(1, maximumBytes)
        self.lengths = Array(repeating: 0, count: self.maximumBytes + 1)
        for name in names { recordUse(of: Array(name.utf8)[...]) }
    }

    /// The number of names that are kept.
    package var count: Int { entries.count }

    /// Records a name and its use.
    package mutating func recordUse(of name: ArraySlice<UInt8>) {
        guard !name.isEmpty, name.count <= maximumBytes, name.last != Byte.colon, name.firstSeparator == nil else {
            return
        }
        let hash = hash(name)
        uses += 1
        if entries[hash] == nil {
            entries[hash] = Entry(name: Array(name), seen: uses)
            lengths[name.count] += 1
        } else {
            entries[hash]?.seen = uses
        }
        order.append((hash, uses))
        while entries.count > capacity { forgetOldest() }
        if order.count > 2 * capacity + 64 { compact() }
    }

    package func contains(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count <= maximumBytes, lengths[name.count] > 0 else { return false }
        return entries[hash(name)]?.name.elementsEqual(name) ?? false
    }

    /// Returns true if `bytes` end in a known name. Takes time linear in `maximumBytes`.
    func endName(_ bytes: ArraySlice<UInt8>) -> Bool {
        var hash: UInt64 = 0
        var length = 0
        for byte in bytes.suffix(maximumBytes).reversed() {
            hash = step(hash, byte)
            length += 1
            guard lengths[length] > 0, let entry = entries[hash] else { continue }
            if entry.name.elementsEqual(bytes.suffix(length)) { return true }
        }
        return false
    }

    private func hash(_ name: ArraySlice<UInt8>) -> UInt64 {
        name.reversed().reduce(0, step)
    }

    private func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ (hash >> 29)) &* factor &+ UInt64(byte) &+ 1
    }

    private mutating func forgetOldest() {
        guard oldest < order.count else { return }
        let candidate = order[oldest]
        oldest += 1
        guard let entry = entries[candidate.hash], entry.seen == candidate.seen else { return }
        entries[candidate.hash] = nil
        lengths[entry.name.count] -= 1
    }

    private mutating func compact() {
        order = order[oldest...].filter { entries[$0.hash]?.seen == $0.seen }
        oldest = 0
    }
}
