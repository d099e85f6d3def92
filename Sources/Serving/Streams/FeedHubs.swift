import Archive
import ChatModel
import Logging
import Reading
import Synchronization

/// The hubs of followed accounts. A hub reads its account's feed while it has followers, and then releases the account.
final class FeedHubs: Sendable {
    private let source: ArchiveSource
    private let logger: Logger
    private let hubs = Mutex<[String: FeedHub]>([:])
    private let starts: AsyncStream<(String, FeedHub)>
    private let start: AsyncStream<(String, FeedHub)>.Continuation

    /// The time without followers after which a hub ends.
    private static let patience = Duration.seconds(5)
    /// The number of ``patience`` times between two signs of life of a connection: 15 s, less than proxies wait (nginx:
    /// 60 s).
    private static let pulse = 3

    init(source: ArchiveSource, logger: Logger) {
        (self.source, self.logger) = (source, logger)
        (starts, start) = AsyncStream.makeStream()
    }

    /// Returns the hub of an account.
    ///
    /// - Parameter reading: Finds the feed's end for a hub that begins.
    func hub(of account: String, _ reading: ArchiveReading) throws -> FeedHub {
        if let hub = hubs.withLock({ $0[account] }) { return hub }
        let end = try reading.feeds.end(of: account)
        let (hub, isNew) = hubs.withLock { hubs in
            if let hub = hubs[account] { return (hub, false) }
            let hub = FeedHub(start: end)
            hubs[account] = hub
            return (hub, true)
        }
        if isNew { start.yield((account, hub)) }
        return hub
    }

    /// Ends every stream, so that the server can stop.
    func end() {
        start.finish()
        for hub in hubs.withLock({ Array($0.values) }) { hub.end() }
    }

    /// Reads the feeds of followed accounts until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await (account, hub) in starts {
                group.addTask { await self.follow(account, hub) }
            }
            group.cancelAll()
        }
    }

    private func follow(_ account: String, _ hub: FeedHub) async {
        defer {
            hubs.withLock { hubs in if hubs[account] === hub { hubs[account] = nil } }
            hub.end()
        }
        let reading = source.reading().bounded(pageBytes: ReadingPool.pageBytes)
        do {
            // Reads from the hub's start on, so that a follower that came since then misses nothing.
            let position = hub.startPosition
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for try await changes in reading.feeds.follow(of: [account], after: position) {
                        hub.add(changes)
                    }
                }
                group.addTask {
                    repeat {
                        for _ in 0..<Self.pulse {
                            try await Task.sleep(for: Self.patience)
                            guard hub.hasFollowers else { return }
                        }
                        hub.pulse()
                    } while true
                }
                try await group.next()
                group.cancelAll()
            }
        } catch is CancellationError {
        } catch {
            logger.warning("following an account ended", metadata: ["account": "\(account)", "error": "\(error)"])
        }
    }
}
