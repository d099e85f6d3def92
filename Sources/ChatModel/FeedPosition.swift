/// A position in an account's change feed: everything up to `seq` was read.
package struct FeedPosition: Sendable, Hashable {
    /// The life of the file within which `seq` counts. A restored file has another epoch, and its followers start over.
    package var epoch: String
    /// The number of the last change that was read; 0 before the first.
    package var seq: Int64

    package init(epoch: String, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }
}
