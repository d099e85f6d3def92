import ChatModel

/// Stores what a connection puts into its buffer, batch by batch, beside it.
struct EventStorage: Sendable {
    private enum Outcome: Sendable {
        case ended(SessionEnd)
        case stored
        case failed(SessionEnd)
    }

    let buffer: EventBuffer
    let sink: any EventSink
    let stop: Signal
    let clock: any Clock<Duration>
    /// For what is left after a stop.
    let timeout: Duration

    /// Returns when `connection` has, and all that it heard is stored or can't be.
    func run(_ connection: @escaping @Sendable () async -> SessionEnd) async -> SessionEnd {
        await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                let end = await connection()
                buffer.finish()
                return .ended(end)
            }
            group.addTask { await storeAll() }
            group.addTask {
                await stop.wait()
                guard (try? await clock.sleep(for: timeout)) != nil else { return .stored }
                return .failed(SessionEnd(reason: .store, detail: "the archive took too long"))
            }
            var end: SessionEnd?
            for await outcome in group {
                switch outcome {
                case .ended(let reason):
                    end = end ?? reason
                case .stored:
                    group.cancelAll()
                case .failed(let reason):
                    end = end ?? reason
                    group.cancelAll()
                }
            }
            return end ?? SessionEnd(reason: .stopped)
        }
    }

    /// Not ended by cancellation, but by the sink that it makes throw.
    private func storeAll() async -> Outcome {
        while let batch = await buffer.next() {
            do {
                _ = try await sink.append(batch)
            } catch {
                buffer.abandon()
                return .failed(SessionEnd(reason: .store, detail: "the archive took no more: \(error)"))
            }
        }
        return .stored
    }
}
