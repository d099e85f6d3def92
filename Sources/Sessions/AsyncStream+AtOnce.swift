extension AsyncStream where Element: Sendable {
    /// Runs `body` for each element in order, for at most `limit` of them at once, until the stream ends or the task is
    /// cancelled.
    package func forEach(atOnce limit: Int, _ body: @escaping @Sendable (Element) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await element in self {
                if running == limit {
                    await group.next()
                    running -= 1
                }
                running += 1
                group.addTask { await body(element) }
            }
        }
    }
}
