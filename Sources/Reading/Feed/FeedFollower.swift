import ChatModel
import Files

/// Reads the feeds of accounts, and waits for further changes at their ends.
actor FeedFollower {
    private var feeds: FeedReading
    private nonisolated let thread = OwnThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ feeds: FeedReading) {
        self.feeds = feeds
    }

    /// Returns the next changes of one account, and waits until there are some. Nil when the task is cancelled.
    func next() async throws -> [FeedChange]? {
        do {
            while true {
                try Task.checkCancellation()
                if let changes = try feeds.next() { return changes }
                try await Task.sleep(for: Follower.interval)
            }
        } catch is CancellationError {
            return nil
        }
    }
}
