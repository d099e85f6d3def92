/// A place in an account's change feed: everything up to `seq` has been read.
package struct FeedPosition: Sendable, Hashable {
    /// The life of the file that `seq` counts in; a restore begins another, and a follower then starts over.
    package var epoch: String
    package var seq: Int64

    package init(epoch: String, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }
}
