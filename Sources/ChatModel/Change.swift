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

/// One entry of the change feed, in commit order.
package struct Change: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        /// A message was stored, live or late.
        case message(Message)
        /// A room began or ceased to be covered: look at its gaps again.
        case coverage(roomID: Int64)
        /// A user or a room has another name.
        case name
    }

    package var seq: Int64
    package var subject: Subject

    package init(seq: Int64, subject: Subject) {
        self.seq = seq
        self.subject = subject
    }
}
