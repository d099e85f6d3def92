/// The words that a writer has met, as hashes: with 64 bits, two words have the same one by chance once in 10^19 times.
/// Forgets some words when there are many.
package struct KnownWords: Sendable {
    /// Pairs of hashes, or 0: the lowest bits of a hash name its pair. The first of a pair is the one that was met last, so a
    /// frequent word stays. There are as many as a power of two.
    private var slots = [UInt64](repeating: 0, count: 512)
    private var count = 0
    /// Random, so that nobody can choose words with equal hashes.
    private let seed = UInt64.random(in: .min ... .max)

    /// 512 KiB. One word in 250 of English chats is forgotten by the time it comes again *(measured)*.
    private static let mostSlots = 65_536

    package init() {}

    /// Appends the folded UTF-8 of each word of a text that is not known, with a separator before it, and knows it from then
    /// on.
    package mutating func append(newWordsOf text: IndexedText, to bytes: inout [UInt8], separator: UInt8) {
        text.forEachToken(seed: seed) { token, hash in
            guard !isKnown(hash), IndexedText.isWord(token) else { return }
            insert(hash)
            bytes.append(separator)
            IndexedText.withFolded(token) { bytes += $0 }
        }
    }

    @inline(__always)
    private mutating func isKnown(_ hash: UInt64) -> Bool {
        let place = place(of: hash)
        if slots[place] == hash { return true }
        guard slots[place + 1] == hash else { return false }
        slots.swapAt(place, place + 1)
        return true
    }

    private mutating func insert(_ hash: UInt64) {
        if count > slots.count / 2, slots.count < Self.mostSlots { grow() }
        let place = place(of: hash)
        slots[place + 1] = slots[place]
        slots[place] = hash
        count += 1
    }

    @inline(__always)
    private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 2) }

    private mutating func grow() {
        let hashes = slots
        (slots, count) = ([UInt64](repeating: 0, count: 2 * hashes.count), 0)
        for hash in hashes where hash != 0 { insert(hash) }
    }
}
