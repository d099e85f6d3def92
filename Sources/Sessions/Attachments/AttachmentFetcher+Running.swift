package import ChatModel

extension AttachmentFetcher {
    /// Fetches files by the present limits while `body` runs; none without a store.
    ///
    /// - Parameter limits: Returns the limits of a configuration.
    package static func whileRunning<Configuration: Sendable, Result: Sendable>(
        _ client: any FileClient, into store: (any AttachmentStore)?, _ watched: WatchedValue<Configuration>,
        limits: @escaping @Sendable (Configuration) -> AttachmentLimits, tools: ListenerTools,
        _ body: @escaping @Sendable () async -> Result
    ) async -> Result {
        guard let store else { return await body() }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    await watched.whileSame(limits) { limits in
                        await AttachmentFetcher(
                            client: client, store: store, limits: limits, clock: tools.clock,
                            wallClock: { tools.readClocks().wall }, logger: tools.logger
                        ).run()
                    }
                }
            }
            defer { group.cancelAll() }
            return await body()
        }
    }
}
