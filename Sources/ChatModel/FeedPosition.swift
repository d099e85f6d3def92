/// A position in an account's change feed: everything up to `seq` was read. Written as `EPOCH:SEQ`.
package struct FeedPosition: Sendable, Hashable, CustomStringConvertible {
    /// The life of the file within which `seq` counts. A restored file has another epoch, and its followers start over.
    package var epoch: String
    /// The number of the last change that was read; 0 before the first.
    package var seq: Int64

    package init(epoch: String, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }

    /// Reads a written position. Nil for a text that is not one.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let seq = Int64(text[text.index(after: colon)...]), seq >= 0,
            text.utf8.allSatisfy({ $0 > UInt8(ascii: " ") && $0 < 0x7F })
        else { return nil }
        self.init(epoch: String(text[..<colon]), seq: seq)
    }

    package var description: String { "\(epoch):\(seq)" }
}
